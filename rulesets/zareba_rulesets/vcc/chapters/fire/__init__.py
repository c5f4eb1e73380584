"""Fire: small arms, guns, rockets, and machine guns that overheat."""
