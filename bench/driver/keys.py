"""Keys as `zcp key` makes them."""

import base64
import secrets

CASTAGNOLI = 0x82F63B78


def new_key() -> tuple[bytes, str]:
    """Returns the bytes of a new key, and its text, which ends with a check."""
    key = secrets.token_bytes(16)
    crc = 0xFFFFFFFF
    for byte in key:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (CASTAGNOLI if crc & 1 else 0)
    check = (crc ^ 0xFFFFFFFF) & 0xFFFF
    return key, base64.urlsafe_b64encode(key + check.to_bytes(2)).decode()
