"""Keep a PIN as a salted hash and compare it in constant time."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

_COST = 2**13
"""About 20 ms on a small machine; a PIN is short, so it is the lock-out that protects it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PinHash:
    """A PIN that can be checked and not read."""

    salt: str
    digest: str

    @classmethod
    def of(cls, pin: str) -> PinHash:
        """Hash a PIN of at least four characters; raise ValueError where it is shorter."""
        if len(pin) < 4:
            raise ValueError("a PIN has at least 4 characters")
        salt = secrets.token_hex(16)
        return cls(salt=salt, digest=_digest(pin, salt))

    def fits(self, pin: str) -> bool:
        """Return True if this is the PIN; takes as long for a wrong one."""
        return hmac.compare_digest(self.digest, _digest(pin, self.salt))


def _digest(pin: str, salt: str) -> str:
    return hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), n=_COST, r=8, p=1, dklen=32).hex()
