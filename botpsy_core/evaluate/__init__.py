"""The scales: how often it acts right, acts wrong, and stops right."""
