"""The box's side of the page: publishes the table and answers requests over a Unix socket."""
