"""Runs the contests of bench/run and writes down how they went."""
