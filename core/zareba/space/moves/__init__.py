"""What men do on a measured table: find `room`, come into `contact`."""
