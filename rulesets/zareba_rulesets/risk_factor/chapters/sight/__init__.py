"""Line of sight and clear shots."""
