create unique index readings_device_sequence on readings (device, sequence);
