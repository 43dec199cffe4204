"""What is done at a moment, one action a file."""
