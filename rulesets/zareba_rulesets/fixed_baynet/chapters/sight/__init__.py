"""Line of sight, openings of buildings, contact and range bands."""
