"""Line of sight, and troops out of sight in forts."""
