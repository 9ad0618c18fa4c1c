"""How reading a block can fail; both stay inside this room."""


class Incomplete(Exception):  # a signal, not a fault
    """The block may go on: what looked like its end stands inside a value."""


class Unreadable(Exception):  # the same
    """The block is no call and will be none."""
