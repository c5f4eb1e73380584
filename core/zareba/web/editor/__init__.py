"""The battle editor: its pages, the form of each element, and drawings of unfinished battles."""
