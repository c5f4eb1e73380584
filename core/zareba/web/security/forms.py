"""What a page sent, read as text and nothing else."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import Request

from zareba.base.errors import ZarebaError

__all__ = ["Form", "read_form"]

MOST_FIELDS = 400


class Form:
    """The fields of a form; a field that came twice has all its values."""

    def __init__(self, fields: list[tuple[str, str]]) -> None:
        self._fields = fields

    def text(self, name: str, default: str = "") -> str:
        """The first value of a field, without the blanks round it."""
        return next((value.strip() for key, value in self._fields if key == name), default)

    def all(self, name: str) -> list[str]:
        """All values of a field."""
        return [value.strip() for key, value in self._fields if key == name]

    def names(self) -> list[str]:
        """The names of the fields, in their order."""
        return list(dict.fromkeys(name for name, _ in self._fields))

    def beginning(self, prefix: str) -> dict[str, str]:
        """The fields whose names begin so, by the rest of their names."""
        return {key.removeprefix(prefix): value.strip() for key, value in self._fields if key.startswith(prefix)}

    def whole(self, name: str) -> int:
        """A field as a whole number; raises ZarebaError when it is none."""
        value = self.text(name)
        if not value.isdecimal() or len(value) > 16:
            raise ZarebaError(f"'{name}' is to be a whole number")
        return int(value)

    def number(self, name: str) -> float:
        """A field as a number; raises ZarebaError when it is none, or none that can lie on a table."""
        try:
            value = float(self.text(name))
        except ValueError:
            raise ZarebaError(f"'{name}' is to be a number") from None
        if not -1e6 < value < 1e6:
            raise ZarebaError(f"'{name}' is to be a number")
        return value


async def read_form(request: Request) -> Form:
    """The form of a request; raises ZarebaError for what is no form."""
    body = await request.body()
    try:
        fields = parse_qsl(
            body.decode("utf-8"), keep_blank_values=True, strict_parsing=bool(body), max_num_fields=MOST_FIELDS
        )
    except ValueError:
        raise ZarebaError("this is no form that a page of this server sends") from None
    return Form(fields)
