"""What is on the disk: the journal with its spare copy and its rescue, and the players' preferences."""
