"""The table's page: the requests and messages that its two halves share."""
