"""The table in the browser: pages made on the server, a little script, and a stream that says when to look again.

`games` holds the sessions, each in its journal; `seats` who may sit where; `view` what a seat is shown; `guard` what is let
in; `app` the addresses. The page knows only what it is told: the question, its options, and the table as its seat sees it.
"""
