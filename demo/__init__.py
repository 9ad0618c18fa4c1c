"""A whole home on one machine: a broker, devices, a car, and a Home Assistant that is spoken to."""
