"""The actions of units: how each is offered, worded, performed and valued, one file for each family."""
