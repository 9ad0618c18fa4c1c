"""Frozen values that travel between the rooms; standard library only."""
