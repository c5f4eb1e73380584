"""Line of sight, contact, cover and posture."""
