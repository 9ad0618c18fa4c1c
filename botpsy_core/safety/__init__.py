"""The guard: a pure function from a call and all that is known of it to a Verdict."""
