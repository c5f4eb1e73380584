"""Battle: who may fight whom, the exchange of pieces, and combat."""
