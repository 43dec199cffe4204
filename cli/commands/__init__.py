"""The commands, one a file: options in, exit code out."""
