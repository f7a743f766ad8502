"""Options that every aiokafka client of ours shares."""

from typing import Any

from workers.stream.settings import Security


def security_options(security: Security) -> dict[str, Any]:
    """Translate our security settings into aiokafka's keyword arguments."""
    transport = "PLAINTEXT" if security.tls is None else "SSL"
    if not security.mechanism:
        return {"security_protocol": transport, "ssl_context": security.tls}
    return {
        "security_protocol": f"SASL_{transport}",
        "ssl_context": security.tls,
        "sasl_mechanism": security.mechanism,
        "sasl_plain_username": security.user,
        "sasl_plain_password": security.password.reveal(),
    }
