"""What applies to every request: connections, identity, limits, the audit log, and errors."""
