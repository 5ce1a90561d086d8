"""Which classifier to take: all judged together, from the joint posterior to the leaderboard."""
