"""The post room: MQTT devices as typed tools, and MQTT as a way in."""
