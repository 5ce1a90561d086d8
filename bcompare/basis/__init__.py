"""The ground floor: errors, notes and messages, atomic file writes, threads."""
