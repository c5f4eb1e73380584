"""Shooting: small arms and guns, rockets, and weapons that overheat."""
