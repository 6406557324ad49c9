"""What the box's own process publishes for the page and answers, over a Unix socket."""
