"""What is erased, by whose order or at what age (SEC-19): :mod:`reviews.erasing.orders` and :mod:`reviews.erasing.retention`."""
