"""Engines that play games: in this process, in local worker processes, or on a dask cluster. All give identical
results.
"""
