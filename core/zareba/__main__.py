"""`python -m zareba`: the command line without its console script."""

from zareba.cli import main

main()
