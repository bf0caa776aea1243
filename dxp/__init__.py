"""The DamExchange protocol (DXP): messages, sessions, server and client."""
