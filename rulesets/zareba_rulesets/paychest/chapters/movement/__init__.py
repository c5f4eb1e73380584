"""Movement: allowances, marches, mounts, conveyances, guns, loads and leaving the table."""
