"""What docs/reliability.md measures, against a real mosquitto and a real Home Assistant; minutes long, so no test."""
