"""Where games are played: in this process, by workers on this machine, or by those of a dask scheduler. The same bytes from all."""
