"""The Risk Factor, and the Action throw that it makes a unit take."""
