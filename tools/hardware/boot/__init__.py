"""`make boot`: a Debian tree with the box installed by its installer, booted, played, disturbed and switched off."""
