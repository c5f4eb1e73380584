"""Out on the table: who stands near whom, who sees whom by the plain law, and where men may go."""
