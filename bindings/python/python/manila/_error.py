"""The one exception of the package."""

from __future__ import annotations


class Error(Exception):
    """Something that manila itself could not do. What a program does wrong is never an exception."""

    kind: str
    """What went wrong, to match on: ``no-envelope``, ``not-found``, ``bad-declaration`` …"""
    hint: str | None
    """What to do about it, if that is known."""

    def __init__(self, message: str, kind: str, hint: str | None = None) -> None:
        super().__init__(message, kind, hint)
        self.kind = kind
        self.hint = hint

    def __str__(self) -> str:
        message = str(self.args[0])
        return f"{message} (hint: {self.hint})" if self.hint else message
