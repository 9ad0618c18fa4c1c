"""Simulated devices for the demo home; programs of their own that know nothing of BotPsy."""
