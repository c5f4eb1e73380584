"""Moving: allowances, marches of many, mounts and seats, machines, what is carried, and leaving the table."""
