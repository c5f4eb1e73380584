"""Tables that answer: by keyed dice and programs, from a journal, from a script of a test, or with every answer at once."""
