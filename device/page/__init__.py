"""The table's web page: the requests and messages that its two halves share."""
