"""The fire step: legal targets, volleys and single shots."""
