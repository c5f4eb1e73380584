"""A submitted form, read as plain text and numbers with limits."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import Request

from zareba.base.errors import ZarebaError

_MOST_FIELDS = 400


class FormData:
    """The fields of a form. A field that occurs several times has several values."""

    def __init__(self, fields: list[tuple[str, str]]) -> None:
        self._fields = fields

    def text(self, name: str, default: str = "") -> str:
        """Return the first value of a field, without spaces around it."""
        return next((value.strip() for key, value in self._fields if key == name), default)

    def all(self, name: str) -> list[str]:
        """Return all values of a field."""
        return [value.strip() for key, value in self._fields if key == name]

    def names(self) -> list[str]:
        """Return the names of the fields, in order."""
        return list(dict.fromkeys(name for name, _ in self._fields))

    def beginning(self, prefix: str) -> dict[str, str]:
        """Return the fields with this prefix, by the rest of their names."""
        return {key.removeprefix(prefix): value.strip() for key, value in self._fields if key.startswith(prefix)}

    def integer(self, name: str) -> int:
        """Return a field as a whole number. Raises ZarebaError if it is not one."""
        value = self.text(name)
        if not value.isdecimal() or len(value) > 16:
            raise ZarebaError(f"'{name}' must be a whole number")
        return int(value)

    def number(self, name: str) -> float:
        """Return a field as a number. Raises ZarebaError if it is not one, or too large for a table."""
        try:
            value = float(self.text(name))
        except ValueError:
            raise ZarebaError(f"'{name}' must be a number") from None
        if not -1e6 < value < 1e6:
            raise ZarebaError(f"'{name}' must be a number")
        return value


async def read_form(request: Request) -> FormData:
    """Return the form of a request. Raises ZarebaError if it is invalid."""
    body = await request.body()
    try:
        fields = parse_qsl(
            body.decode("utf-8"), keep_blank_values=True, strict_parsing=bool(body), max_num_fields=_MOST_FIELDS
        )
    except ValueError:
        raise ZarebaError("this is not a form of this server") from None
    return FormData(fields)
