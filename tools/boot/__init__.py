"""`make boot`: the box installed into a Debian tree by its installer, booted, played, disturbed and switched off."""
