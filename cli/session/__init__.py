"""One session: a stack, a subject on a lane of it, its clean runs and its scenarios."""
