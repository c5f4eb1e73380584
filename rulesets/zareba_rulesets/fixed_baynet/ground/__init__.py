"""What lies on the table, and what each row of ground does to men."""
