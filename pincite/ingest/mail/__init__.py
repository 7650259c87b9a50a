"""Messages and their attachments."""
