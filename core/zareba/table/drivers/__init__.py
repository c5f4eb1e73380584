"""Table drivers: answers from seeded dice and AI players, from a journal, from a test script, or every possible answer in
turn.
"""
