"""What men do on a measured table: find `room`, come into `contact`, run up to a base and round it (`runs`), line works (`lining`),
go together (`march`).
"""
