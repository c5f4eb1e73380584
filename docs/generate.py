"""Write the reference pages that come from the code: `python docs/generate.py`; `--check` fails if a page is out of
date.

Each page has a template `docs/templates/PAGE.md.txt`. A line `{{ NAME }}` in it is replaced by generated Markdown, and
a line `{{ zareba COMMAND }}` by the JSON that the command prints. Meanings of YAML keys come from the docstrings of the
models; `docs/templates/meanings.yaml` has those that the docstrings lack.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from html import escape
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from typer.models import ArgumentInfo, OptionInfo
from typer.testing import CliRunner

from zareba import renamed
from zareba.base.references import RefersTo
from zareba.base.yamlfile import Id, read_yaml
from zareba.cli import COMMANDS, app, command_function
from zareba.cli.study.odds import listed_procedures
from zareba.game import Advisor, Display, Game, Narrator, OddsHorizon, Play, Sight
from zareba.plugins import hook_specs
from zareba.registry import load_rules, ruleset, ruleset_names
from zareba.rules import RulesetFile
from zareba.rules.catalogue import load_catalogue
from zareba.rules.patch import RuleFile
from zareba.rules.schema import Conditions
from zareba.rules.settings import flat_settings, text
from zareba.scenario import Scenario
from zareba.scenario.vocabulary.words import ARMS, TERRAIN, WEAPONS, Word

__all__ = ["PAGES", "REFERENCE", "page", "stale_pages"]

DOCS: Final = Path(__file__).resolve().parent
REFERENCE: Final = DOCS / "reference"
TEMPLATES: Final = DOCS / "templates"
PLACEHOLDER: Final = re.compile(r"^\{\{ (.+?) \}\}$", re.MULTILINE)

COMMAND_GROUPS: Final = {"play": "Play", "study": "Odds and comparisons", "author": "Rules, scenarios and packages"}
"""Titles of the folders of `zareba.cli` in which commands are."""

GAME_GROUPS: Final = {
    "The game": "start origin from_data activation game_turn scoreboard strength split_units has_evaluation",
    "The parts of a game": "play advisor narrator display sight odds_horizon printed_play printed_advisor",
    "The classes of the parts": "play_class advisor_class narrator_class display_class sight_class odds_horizon_class",
    "The umpire": "editor_class umpire_editor",
}
"""The members of `Game` by purpose. A name that `Game` lacks is ignored; a member that is not listed comes under
"Other".
"""

PARTS: Final = (Play, Advisor, Narrator, Display, Sight, OddsHorizon)
"""The parts of a game, each with a section of its own."""

RENAMED_GROUPS: Final = {
    "API": "Names in Python",
    "GAME_MEMBERS": "Members of `Game`",
    "HOOKS": "Hooks",
    "JSON_KEYS": "Keys of JSON output",
    "ARGUMENTS": "Named arguments",
    "METHODS": "Methods and attributes",
    "PLAYERS": "AI players",
    "RENAMED_COMMANDS": "Commands",
    "RULESET_KEYS": "Sections of `ruleset.yaml`",
    "YAML_KEYS": "Keys of entries",
}
"""Titles of the mappings of `zareba.renamed`."""

SECTION_OF: Final = {"zones": "deployment"}
"""Sections of names that YAML calls otherwise than `RefersTo`."""

MOST_IN_JSON: Final = 5
LONGEST_IN_JSON: Final = 120


# Markdown


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *(map(_cell, row) for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cell(words: str) -> str:
    """Return a text for a cell: code with a bar becomes HTML, because renderers differ on escaped bars in code."""
    words = re.sub(r"`([^`]*\|[^`]*)`", lambda found: f"<code>{escape(found[1]).replace('|', '&#124;')}</code>", words)
    return words.replace("|", r"\|").replace("\n", " ")


def code(value: str) -> str:
    """Return a text as inline code; an empty text stays empty."""
    return f"`{value}`" if value else ""


def prose(value: str) -> str:
    """Return plain text as Markdown: signs that Markdown would interpret are escaped, except within inline code."""
    parts = value.split("`")
    for index in range(0, len(parts), 2):
        parts[index] = re.sub(r"([*\[\]])", r"\\\1", parts[index]).replace("<", "&lt;")
    return "`".join(parts)


def sentence(value: str) -> str:
    """Return a text that begins with a capital letter and has no full stop at its end."""
    value = " ".join(value.split())
    return (value[:1].upper() + value[1:]).rstrip(".;")


def paragraphs(doc: str | None) -> list[str]:
    """Return the paragraphs of a docstring, each on one line; indented lines keep their lines."""
    found = re.split(r"\n\s*\n", inspect.cleandoc(doc or ""))
    return [
        paragraph if paragraph.startswith("    ") else " ".join(paragraph.split())
        for paragraph in found
        if paragraph.strip()
    ]


# Docstrings of attributes and of YAML keys


@cache
def attribute_docs(kind: type) -> dict[str, str]:
    """Return the docstrings that stand below the attributes of a class, by the attribute's name."""
    try:
        tree = ast.parse(dedent(inspect.getsource(kind))).body[0]
    except (OSError, TypeError, SyntaxError):
        return {}
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    found = {}
    for node, below in pairwise(body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and (doc := text_of(below)):
            found[node.target.id] = inspect.cleandoc(doc)
    return found


def text_of(statement: ast.stmt) -> str:
    """Return the text of a statement that is a bare string; "" for any other."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""


CLAUSE: Final = re.compile(r"(?<=[.;]) (?=(?:(?:A|An|The|Its|Its own) )?`)")
OF_KEY: Final = re.compile(r"(?:(?:A|An|The|Its|Its own) )?`([a-z_]+)`")


def explained(model: type[BaseModel]) -> tuple[str, dict[str, str]]:
    """Return the docstring of a model without the clauses about single keys, and these clauses by key.

    A clause begins with the key in backticks. A clause in the docstring of a base class counts too.
    """
    about: list[str] = []
    of_keys: dict[str, str] = {}
    names = {name: name for name in model.model_fields}
    names |= {field.alias: name for name, field in model.model_fields.items() if field.alias}
    owners = [owner for owner in model.__mro__ if issubclass(owner, BaseModel) and owner.model_fields]
    for owner in reversed(owners):
        about = []
        for clause in CLAUSE.split(" ".join((owner.__doc__ or "").split())):
            begins = OF_KEY.match(clause)
            if begins is not None and begins[1] in names:
                of_keys[names[begins[1]]] = sentence(clause.removeprefix(f"`{begins[1]}`: "))
            elif clause:
                about.append(clause)
        of_keys |= {name: sentence(doc) for name, doc in attribute_docs(owner).items() if name in names}
    return " ".join(about), of_keys


@dataclass(frozen=True)
class Meanings:
    """Meanings of keys that have none in a docstring: those of one model, and those of a key in any model."""

    models: Mapping[str, Mapping[str, str]]
    keys: Mapping[str, str]

    def of(self, model: type[BaseModel], key: str) -> str:
        """Return the meaning of a key; "" if it has none here."""
        for owner in model.__mro__:
            if key in (known := self.models.get(owner.__name__, {})):
                return known[key]
        return self.keys.get(key, "")


@cache
def meanings() -> Meanings:
    """Return the content of `meanings.yaml`."""
    data: Any = read_yaml(TEMPLATES / "meanings.yaml").data
    return Meanings(data["models"], data["keys"])


# Models of YAML


@dataclass(frozen=True)
class Part:
    """A model with the heading under which its keys are listed, and the path at which it stands in a file."""

    model: type[BaseModel]
    heading: str
    path: str

    @cached_property
    def docs(self) -> tuple[str, dict[str, str]]:
        return explained(self.model)


class ModelPage:
    """The keys of a model and of all models in it, each model in a section of the page."""

    def __init__(self, root: type[BaseModel], heading: str, path: str = "") -> None:
        self.parts: dict[type[BaseModel], Part] = {}
        self.without_meaning: list[str] = []
        self._collect(root, heading, path)

    def _collect(self, model: type[BaseModel], heading: str, path: str) -> None:
        if model in self.parts:
            return
        self.parts[model] = Part(model, heading, path)
        for name, field in model.model_fields.items():
            key = f"{path}.{field.alias or name}".lstrip(".")
            for inner, below in models_in(field.annotation, key):
                self._collect(inner, heading_of(inner), below)

    def markdown(self) -> str:
        """Return the sections, the root first."""
        return "\n\n".join(self._section(part) for part in self.parts.values())

    def _section(self, part: Part) -> str:
        about, of_keys = part.docs
        rows = [self._row(part, name, field, of_keys) for name, field in part.model.model_fields.items()]
        where = f"In `{part.path}`." if part.path else ""
        head = " ".join(filter(None, [where, prose(about)]))
        lines = [f"## {part.heading}", head, table(["key", "type", "default", "meaning"], rows) if rows else ""]
        return "\n\n".join(filter(None, lines))

    def _row(self, part: Part, name: str, field: FieldInfo, of_keys: Mapping[str, str]) -> list[str]:
        key = field.alias or name
        meaning = field.description or of_keys.get(name) or meanings().of(part.model, key)
        if not meaning:
            self.without_meaning.append(f"{part.model.__name__}.{key}")
        kind = self.type_words(field.annotation, field.metadata)
        return [code(key), kind, default_words(field), prose(meaning)]

    def type_words(self, kind: Any, marks: Sequence[Any] = ()) -> str:
        """Return a type in words, with limits, allowed values and links to the models in it."""
        origin, inner = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self.type_words(inner[0], (*marks, *inner[1:]))
        if kind == Conditions:
            return "[conditions](#conditions)"
        if origin in (Union, UnionType):
            words = list(dict.fromkeys(self.type_words(member, marks) for member in inner if member is not NoneType))
            return " or ".join(
                member for member in words if member.removeprefix("whole ") == member or member[6:] not in words
            )
        if origin is Literal:
            return ", ".join(
                code(member if isinstance(member, str) else json.dumps(member)) if member != "" else '`""`'
                for member in inner
            )
        if origin is dict:
            return f"map of {plural(self.type_words(inner[0]))} to {self.type_words(inner[1])}"
        if origin in (list, tuple):
            return self._list_words(inner, marks)
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            part = self.parts.get(kind)
            return f"[{part.heading}](#{slug(part.heading)})" if part else heading_of(kind).lower()
        return scalar_words(kind, limits_of(marks), next((mark for mark in marks if isinstance(mark, RefersTo)), None))

    def _list_words(self, inner: tuple[Any, ...], marks: Sequence[Any]) -> str:
        if len(inner) == 2 and Ellipsis not in inner:
            return "point `[x, y]`" if is_number(inner[0]) else " and ".join(map(self.type_words, inner))
        limits = limits_of(marks)
        least = f" (at least {limits['min_length']})" if limits.get("min_length") else ""
        return f"list of {plural(self.type_words(inner[0]))}{least}"


def models_in(kind: Any, path: str) -> Iterator[tuple[type[BaseModel], str]]:
    """Yield the models in a type, each with the path at which it stands."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind, path
    elif get_origin(kind) is dict:
        yield from models_in(get_args(kind)[1], f"{path}.NAME")
    elif get_origin(kind) is not Literal:
        for part in get_args(kind):
            yield from models_in(part, path)


def heading_of(model: type[BaseModel]) -> str:
    """Return the name of a model in words: "Hidden forces"."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", model.__name__.lstrip("_"))
    return words[:1] + words[1:].lower()


def slug(heading: str) -> str:
    """Return the anchor of a heading, as MkDocs and GitHub make it."""
    return re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")


def limits_of(marks: Sequence[Any]) -> dict[str, Any]:
    """Return the limits among the marks of a type: `ge`, `le`, `gt`, `lt`, `min_length`, `max_length`, `pattern`."""
    flat = [limit for mark in marks for limit in (mark.metadata if isinstance(mark, FieldInfo) else (mark,))]
    names = ("ge", "le", "gt", "lt", "min_length", "max_length", "pattern")
    return {name: value for limit in flat for name in names if (value := getattr(limit, name, None)) is not None}


def plural(words: str) -> str:
    """Return the words of a type in the plural, where they begin with a noun."""
    return re.sub(r"^(whole number|number|point|text|name|id)\b", r"\1s", words)


def is_number(kind: Any) -> bool:
    """Return True for a type of numbers."""
    return kind in (int, float) or (get_origin(kind) is Annotated and is_number(get_args(kind)[0]))


ID_PATTERN: Final = next(limits_of([mark])["pattern"] for mark in get_args(Id)[1:])


def scalar_words(kind: Any, limits: Mapping[str, Any], refers: RefersTo | None) -> str:
    """Return a simple type in words."""
    if refers is not None:
        besides = f" or {', '.join(map(code, refers.besides))}" if refers.besides else ""
        sections = (SECTION_OF.get(section, section) for section in refers.sections)
        return "name in " + " or ".join(map(code, sections)) + besides
    if kind is bool:
        return "`true`, `false`"
    if kind in (int, float):
        words = "whole number" if kind is int else "number"
        if "ge" in limits and "le" in limits:
            return f"{words}, {limits['ge']:g} to {limits['le']:g}"
        more = [("ge", "at least"), ("gt", "more than"), ("le", "at most"), ("lt", "less than")]
        return ", ".join([words, *(f"{said} {limits[name]:g}" for name, said in more if name in limits)])
    if kind is str:
        return "id" if limits.get("pattern") == ID_PATTERN else "text"
    return "any value"


def default_words(field: FieldInfo) -> str:
    """Return the default of a field, or that it is required."""
    if field.is_required():
        return "required"
    value = field.default
    if isinstance(value, (bool, int, float)):
        return code(json.dumps(value))
    if isinstance(value, str):
        return code(value) or '`""`'
    return code(json.dumps(value)) if isinstance(value, (list, tuple)) and value else ""


# Pages


def commands() -> str:
    """Return every command with its arguments, options and example, by group."""
    groups: dict[str, list[str]] = {}
    for name, entry in COMMANDS.items():
        folder = entry.module.partition(".")[0]
        groups.setdefault(COMMAND_GROUPS.get(folder, folder), []).append(_command(name))
    return "\n\n".join(f"## {title}\n\n" + "\n\n".join(found) for title, found in groups.items())


@dataclass(frozen=True)
class Parameter:
    """An argument or an option of a command, read from the signature of its function."""

    name: str
    kind: Any
    info: ArgumentInfo | OptionInfo
    default: Any

    @property
    def is_required(self) -> bool:
        return self.default is inspect.Parameter.empty

    @property
    def shown(self) -> str:
        """The way to write it, as code: `SCENARIO`, `--seed N`, `--json`."""
        if isinstance(self.info, ArgumentInfo):
            name = (self.info.metavar or self.name.upper()).strip("[]")
            return name if self.is_required else f"[{name}]"
        names = [str(name) for name in (self.info.default, *(self.info.param_decls or ())) if str(name).startswith("-")]
        names = names or [f"--{self.name.replace('_', '-')}"]
        written = ", ".join(sorted((name.replace("/", ", ") for name in names), key=len))
        return written if self.kind is bool else f"{written} {self.info.metavar or self._value}"

    @property
    def _value(self) -> str:
        if isinstance(self.kind, type) and issubclass(self.kind, Enum):
            return "|".join(str(member.value) for member in self.kind)
        return "N" if self.kind in (int, float) else self.name.upper()

    @property
    def default_words(self) -> str:
        """The default, or that it is required; then the limits of a number."""
        value = self.default.value if isinstance(self.default, Enum) else self.default
        shown = "" if value in (None, "", False) else code(str(value))
        least, most = self.info.min, self.info.max
        between = f"{least:g} to {most:g}" if least is not None and most is not None else ""
        between = between or (f"at least {least:g}" if least is not None else "")
        return ", ".join(filter(None, ["required" if self.is_required else shown, between]))

    def row(self) -> list[str]:
        """The row of a table."""
        return [code(self.shown), prose(self.info.help or ""), self.default_words]


def parameters(function: Callable[..., Any]) -> Iterator[Parameter]:
    """Yield the parameters of a command."""
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        kind, *marks = get_args(hints[name]) if get_origin(hints[name]) is Annotated else (hints[name],)
        info = next((mark for mark in marks if isinstance(mark, (ArgumentInfo, OptionInfo))), None)
        if info is not None and not info.hidden:
            kinds = [inner for inner in get_args(kind) if inner is not NoneType]
            yield Parameter(name, kinds[0] if get_origin(kind) in (Union, UnionType) else kind, info, parameter.default)


def _command(name: str) -> str:
    function = command_function(name)
    found = list(parameters(function))
    arguments = [parameter for parameter in found if isinstance(parameter.info, ArgumentInfo)]
    options = [parameter for parameter in found if isinstance(parameter.info, OptionInfo)]
    usage = ["zareba", name, *(parameter.shown for parameter in arguments), *(["[OPTIONS]"] if options else [])]
    lines = [f"### zareba {name}", f"```text\n{' '.join(usage)}\n```"]
    for paragraph in paragraphs(function.__doc__):
        is_example = paragraph.startswith("Example: ")
        lines.append(f"```text\n{paragraph.removeprefix('Example: ')}\n```" if is_example else prose(paragraph))
    for title, rows in (("argument", arguments), ("option", options)):
        if rows:
            lines.append(table([title, "meaning", "default"], [parameter.row() for parameter in rows]))
    return "\n\n".join(lines)


def scenario() -> str:
    """Return the keys of a scenario."""
    return _keys(ModelPage(Scenario, "The scenario"))


def words() -> str:
    """Return the words for terrain, arms and weapons with their meanings."""
    tables: Mapping[str, Mapping[str, Word]] = {"kind of terrain": TERRAIN, "arm": ARMS, "weapon": WEAPONS}
    return "\n\n".join(
        table([head, "meaning"], [[code(name), sentence(word.meaning)] for name, word in entries.items()])
        for head, entries in tables.items()
    )


def overrides() -> str:
    """Return the keys of a scenario that only one ruleset reads, by ruleset."""
    found = []
    for name in ruleset_names():
        model = ruleset(name).overrides
        if model is not None:
            found.append(_keys(ModelPage(model, f"Overrides for {name}", f"overrides.{name}")))
    return "\n\n".join(found)


def ruleset_file() -> str:
    """Return the keys that every `ruleset.yaml` has."""
    return _keys(ModelPage(RulesetFile, "The ruleset"))


def house_rule_file() -> str:
    """Return the keys of a house rule in YAML, without those of settings, which `ruleset.yaml` has too."""
    found = ModelPage(RuleFile, "The house rule")
    known = ModelPage(RulesetFile, "The ruleset").parts
    for model in found.parts.keys() & known.keys():
        del found.parts[model]
    return _keys(found)


def _keys(found: ModelPage) -> str:
    written = found.markdown()
    for key in found.without_meaning:
        print(f"no meaning: {key}", file=sys.stderr)
    return written


def own_sections() -> str:
    """Return the sections that each ruleset adds, with the comments of its `ruleset.yaml`."""
    return "\n\n".join(f"### {name}\n\n{_own_sections(name)}" for name in ruleset_names())


def _own_sections(name: str) -> str:
    definition = ruleset(name)
    comments = section_comments(definition.folder / "ruleset.yaml")
    data, catalogue = load_rules(name).data, load_catalogue(*definition.folders).rules
    rows = []
    for key, field in definition.file.model_fields.items():
        if key in RulesetFile.model_fields:
            continue
        written = field.alias or key
        model, path = next(iter(models_in(field.annotation, written)), (None, written))
        keys = [inner.alias or inner_key for inner_key, inner in model.model_fields.items()] if model else []
        about = comments.get(written) or (explained(model)[0] if model else "")
        rule = catalogue.get(first_rule(data.get(written)))
        about = about or (rule.summary if rule else "")
        rows.append([code(path), ", ".join(map(code, keys)), prose(sentence(about))])
        if model:
            rows.extend(_inner_rows(model, path))
    return table(["section", "keys", "content"], rows)


def _origin(model: type[BaseModel]) -> type[BaseModel]:
    """Return the generic model of a model such as `TerrainVariant[str]`, with its docstring; else the model itself."""
    origin: type[BaseModel] | None = model.__pydantic_generic_metadata__["origin"]
    return origin or model


def _inner_rows(model: type[BaseModel], path: str) -> Iterator[list[str]]:
    """Yield a row for each model inside a section, at any depth; keys with the same model share a row."""
    places: dict[type[BaseModel], list[str]] = {}
    for key, field in model.model_fields.items():
        for inner, place in models_in(field.annotation, f"{path}.{field.alias or key}"):
            places.setdefault(inner, []).append(place)
    for inner, found in places.items():
        shown = [found[0], *(place.removeprefix(f"{path}.") for place in found[1:])]
        keys = [field.alias or key for key, field in inner.model_fields.items()]
        yield [", ".join(map(code, shown)), ", ".join(map(code, keys)), prose(sentence(explained(_origin(inner))[0]))]
        yield from _inner_rows(inner, found[0])


def first_rule(data: Any) -> str:
    """Return the first rule id in a section; "" if it has none."""
    if not isinstance(data, Mapping):
        return ""
    return str(data["rule"]) if "rule" in data else next(filter(None, map(first_rule, data.values())), "")


def section_comments(file: Path) -> dict[str, str]:
    """Return the comments above the sections of a YAML file, by section."""
    found: dict[str, str] = {}
    comment: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            comment.append(line.lstrip("# "))
            continue
        if (key := re.match(r"([a-z_]+):", line)) and comment:
            found[key[1]] = " ".join(comment)
        comment = []
    return found


def settings() -> str:
    """Return the settings of every ruleset."""
    found = []
    for name in ruleset_names():
        rules = load_rules(name)
        rows = [
            [code(key), code(text(setting.default)), prose(setting.describe()), setting.rule, prose(setting.summary)]
            for key, setting in flat_settings(rules.switches)
        ]
        found.append(
            f"## {rules.book.title} (`{name}`)\n\n" + table(["setting", "default", "values", "rule", "meaning"], rows)
        )
    return "\n\n".join(found)


def companion() -> str:
    """Return what the companion of each ruleset asks for each act, and which facts it knows."""
    found = []
    for name in ruleset_names():
        made = ruleset(name).companion
        if made is None:
            continue
        rows = []
        for act in made.acts:
            asked = {ask.fact for ask in act.asks}
            known = [
                word.replace("_", " ") for word in getattr(act.facts, "__dataclass_fields__", ()) if word not in asked
            ]
            questions = dict.fromkeys(_asked(ask) for ask in act.asks)
            rows.append([sentence(act.title), act.rule, "; ".join(questions), ", ".join(known)])
        head = ["act", "rule", "the companion asks", "it knows"]
        found.append(f"## {load_rules(name).book.title} (`{name}`)\n\n{table(head, rows)}")
    return "\n\n".join(found)


def odds() -> str:
    """Return the odds procedures of every ruleset, each with its facts and results."""
    found = []
    for name in ruleset_names():
        found.append(f"## {load_rules(name).book.title} (`{name}`)")
        for procedure in listed_procedures(name):
            outcome = procedure["outcome"]
            explained = paragraphs(outcome.get("description"))
            results = f"Results: {', '.join(map(code, outcome['properties']))}."
            if explained and explained[0].rstrip(".") != procedure["summary"]:
                results += " " + " ".join(explained)
            rows = [
                [code(fact), sentence(meaning), prose(takes), code(default)]
                for fact, meaning, takes, default in procedure["rows"]
            ]
            found += [
                f"### {name} {procedure['procedure']}",
                f"{procedure['summary']} ({procedure['rule']}).",
                table(["fact", "meaning", "takes", "default"], rows),
                results,
            ]
    return "\n\n".join(found)


def _asked(asked: Any) -> str:
    """Return a question of the companion, with its usual answer."""
    question = asked.question
    if isinstance(question, str):
        told = question.format(actor="the unit", target="the target")
    else:  # a text that depends on the battle
        doc = paragraphs(inspect.getdoc(getattr(question, "func", question)))
        told = doc[0] if doc else re.sub(r"[ _]*[0-9]+$", ", for each", asked.fact).replace("_", " ")
    words = sentence(prose(told))
    usual = None if callable(asked.default) else asked.default
    if isinstance(usual, float):
        usual = f"{usual:g}"
    if isinstance(usual, bool) or usual == ():
        usual = {True: "yes", False: "no", (): "none"}[usual]
    notes = [f"usually {usual}"] if usual not in (None, "") else []
    notes += ["filled in from the book"] if callable(asked.default) else []
    notes += ["only after the dice"] if asked.is_late else []
    return f"{words} ({', '.join(notes)})" if notes else words


def game() -> str:
    """Return every public member of `Game`, by purpose, and then those of its parts."""
    members = _members(Game)
    groups = {title: [name for name in names.split() if name in members] for title, names in GAME_GROUPS.items()}
    listed = {name for names in groups.values() for name in names}
    groups["Other"] = [name for name in members if name not in listed]
    found = [
        f"## {title}\n\n" + "\n\n".join(_member(Game, name, members[name]) for name in names)
        for title, names in groups.items()
        if names
    ]
    for part in PARTS:
        about = "\n\n".join(map(prose, paragraphs(part.__doc__)))
        shown = [_member(part, name, member) for name, member in _members(part).items()]
        found.append("\n\n".join([f"## {part.__name__}", about, *shown]))
    return "\n\n".join(found)


def _members(of: type) -> dict[str, Any]:
    """Return the public members that a class defines and documents."""
    documented = attribute_docs(of)
    return {
        name: member
        for name, member in vars(of).items()
        if not name.startswith("_")
        and (
            inspect.isfunction(member) or name in documented or hasattr(member, "func") or isinstance(member, property)
        )
    }


def _member(of: type, name: str, member: Any) -> str:
    if name in attribute_docs(of):
        shown, doc = f"{name}: {_annotation(of.__annotations__[name])}", attribute_docs(of)[name]
    elif inspect.isfunction(member):
        shown, doc = f"{name}{_signature(member)}", member.__doc__ or ""
    else:  # a property
        function = getattr(member, "func", None) or member.fget
        given = _signature(function).partition(" -> ")[2]
        shown, doc = f"{name}: {given}", function.__doc__ or ""
    must = "A ruleset must implement this method." if getattr(member, "__isabstractmethod__", False) else ""
    lines = [f"### {name}", f"```python\n{shown}\n```", *map(prose, paragraphs(doc)), must]
    return "\n\n".join(filter(None, lines))


def _signature(function: Callable[..., Any]) -> str:
    signature = inspect.signature(function)
    arguments = [parameter for parameter in signature.parameters.values() if parameter.name != "self"]
    return str(signature.replace(parameters=arguments)).replace("'", "")


def _annotation(kind: Any) -> str:
    return re.sub(r"^ClassVar\[(.*)\]$", r"\1", str(kind))


def game_fields() -> str:
    """Return the docstring of `Game`."""
    return "\n\n".join(map(prose, paragraphs(Game.__doc__)))


def hook_list() -> str:
    """Return a table of all hooks."""
    rows = [
        [f"[`{name}`](#{slug(name + arguments)})", prose(paragraphs(about)[0])]
        for name, arguments, about, _ in _hooks()
    ]
    return table(["hook", "purpose"], rows)


def hook_sections() -> str:
    """Return every hook with its arguments, its docstring and its example."""
    return "\n\n".join(
        f"## {name}{arguments}\n\n"
        + "\n\n".join(filter(None, [about, f"```python\n{example}\n```" if example else ""]))
        for name, arguments, about, example in _hooks()
    )


def _hooks() -> Iterator[tuple[str, str, str, str]]:
    """Yield the name of each hook, its arguments, its docstring and the example in it."""
    for name, hook in vars(hook_specs).items():
        if name.startswith("zareba_"):
            arguments = f"({', '.join(inspect.signature(hook).parameters)})"
            about, _, example = (inspect.getdoc(hook) or "").partition("Example::\n")
            yield name, arguments, about.strip(), dedent(example).strip()


def renamed_names() -> str:
    """Return the old names that still work, one table for each mapping of `zareba.renamed`."""
    return "\n\n".join(
        f"### {RENAMED_GROUPS.get(name, name.capitalize())}\n\n{_renamed_table(names)}"
        for name, names in vars(renamed).items()
        if name.isupper() and isinstance(names, dict)
    )


def _renamed_table(names: Mapping[str, Any]) -> str:
    if not all(isinstance(new, dict) for new in names.values()):
        return table(["old name", "new name"], [[code(old), code(str(new))] for old, new in names.items()])
    rows = [[code(module), code(old), code(new)] for module, inner in names.items() for old, new in inner.items()]
    return table(["where", "old name", "new name"], rows)


def json_of(command: str) -> str:
    """Return the JSON that a command prints, shortened, as a block of code."""
    result = CliRunner().invoke(app, shlex.split(command)[1:])
    if result.exit_code != 0:
        raise RuntimeError(f"'{command}' failed: {result.output or result.exception}")
    data = json.loads(result.stdout.replace(f"{DOCS.parent}/", ""))
    return f"```json\n{json.dumps(_shortened(data), indent=2, ensure_ascii=False)}\n```"


def _shortened(data: Any, most: int | None = None) -> Any:
    """Return JSON data with its long lists, objects and texts cut; "..." marks each cut.

    Of the outermost object, or of those in the outermost list, all keys are kept (`most` is None).
    """
    if isinstance(data, list):
        return [_shortened(item, most) for item in data[:1]] + ["..."] * (len(data) > 1)
    if isinstance(data, dict):
        cut = {"...": "..."} if most is not None and len(data) > most else {}
        return {key: _shortened(value, MOST_IN_JSON) for key, value in list(data.items())[:most]} | cut
    if isinstance(data, str) and len(data) > LONGEST_IN_JSON:
        return f"{data[:LONGEST_IN_JSON]}..."
    return data


PAGES: Final[Mapping[str, Mapping[str, Callable[[], str]]]] = {
    "commands": {"commands": commands},
    "scenario": {"keys": scenario, "words": words, "overrides": overrides},
    "ruleset_yaml": {"keys": ruleset_file, "own": own_sections, "house_rule": house_rule_file},
    "settings": {"settings": settings},
    "companion": {"companion": companion},
    "odds": {"odds": odds},
    "game": {"about": game_fields, "members": game},
    "hooks": {"list": hook_list, "hooks": hook_sections},
    "json": {},
    "migrating": {"renamed": renamed_names},
}
"""Every generated page of `docs/reference`, with the parts that its template names."""


def page(name: str) -> str:
    """Return a page as the code has it now."""
    parts = PAGES[name]

    def part(found: re.Match[str]) -> str:
        return json_of(found[1]) if found[1].startswith("zareba ") else parts[found[1]]()

    template = (TEMPLATES / f"{name}.md.txt").read_text(encoding="utf-8")
    return PLACEHOLDER.sub(part, template).rstrip() + "\n"


def stale_pages() -> list[str]:
    """Return the files that are missing or differ from what the code says now."""
    return [
        file.name
        for name in PAGES
        if not (file := REFERENCE / f"{name}.md").is_file() or file.read_text(encoding="utf-8") != page(name)
    ]


def main(arguments: Sequence[str]) -> int:
    """Write all pages, or check them with `--check`; return the exit code."""
    if "--check" in arguments:
        if stale := stale_pages():
            print(f"out of date: {', '.join(stale)}; run 'make docs'", file=sys.stderr)
        return 1 if stale else 0
    for name in PAGES:
        (REFERENCE / f"{name}.md").write_text(page(name), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
