"""The reference implementation: the code that a reader of the course ends up having written."""
