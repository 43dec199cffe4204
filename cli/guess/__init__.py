"""A first configuration guessed from what a project has: `killpoint init --from FILE`."""
