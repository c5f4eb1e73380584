"""From values to estimates with intervals, and to differences that one may believe."""
