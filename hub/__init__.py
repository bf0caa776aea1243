"""The Hub protocol: our engine speaks version 2, the driver speaks 1 and 2."""
