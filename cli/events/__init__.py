"""The events of a source as records: from a file of the user's, or from templates."""
