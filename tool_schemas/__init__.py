"""The tools as data; a package only so that the wheel carries it and `importlib.resources` finds it."""
