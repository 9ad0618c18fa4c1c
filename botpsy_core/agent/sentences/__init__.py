"""What the house says, one file a language; a package only so that the wheel carries it."""
