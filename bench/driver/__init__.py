"""Runs the contests of bench/peers and writes down how they went."""
