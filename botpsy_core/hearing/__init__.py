"""The ear: an utterance, the home and the talk so far become Heard, once a turn, before anything else."""
