"""Artillery and machine guns: crews, hauling, targets, bursts and indirect fire."""
