"""A scripted model server, its faults and its bill, and models for tests."""
