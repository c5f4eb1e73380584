"""Lines of sight and clear shots."""
