"""The boiler room: a model in a process of its own."""
