"""All files of the box: the journal with its spare copy and its recovery, and the players' preferences."""
