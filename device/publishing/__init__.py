"""What the box's own process tells the page and takes from it, over a Unix socket."""
