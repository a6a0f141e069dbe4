"""Values and contracts, standard library only."""
