"""Addresses on this machine alone."""

import socket

LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """Find a TCP port on loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port
