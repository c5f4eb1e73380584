"""Security of the web server: request checks, forms, safe pages, and error messages without private data."""
