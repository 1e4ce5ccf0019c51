#!/usr/bin/env python3
"""Draws the pictures of docs/performance.md from the numbers next to them.

    python3 tests/compare/plots.py            writes docs/pictures/{time,memory,service}.svg
    python3 tests/compare/plots.py --check    only says whether the pictures fit the numbers

docs/pictures/growth.tsv is what tests/compare/growth.py prints; docs/pictures/service.tsv is copied from the table that
tests/compare/compare.py prints. Each picture has a light and a dark form, and no colour is needed to read it: every
line and bar has its name.
"""

import html
import math
import pathlib
import sys

PICTURES = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "pictures"
CSS = """
text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#52514e}
.h{font-weight:600;fill:#0b0b0b}.n{fill:#0b0b0b}.s{font-size:12px}
.bg{fill:#fcfcfb}.grid{stroke:#e1e0d9;stroke-width:1}.axis{stroke:#898781;stroke-width:1}
.l{fill:none;stroke-width:2}.m{stroke:#fcfcfb;stroke-width:2}
.c0{stroke:#2a78d6}.f0{fill:#2a78d6}.c1{stroke:#eb6834}.f1{fill:#eb6834}.c2{stroke:#1baf7a}.f2{fill:#1baf7a}
.c3{stroke:#4a3aa7}.f3{fill:#4a3aa7}.c4{stroke:#e87ba4}.f4{fill:#e87ba4}
@media(prefers-color-scheme:dark){text{fill:#c3c2b7}.h,.n{fill:#fff}.bg{fill:#1a1a19}.grid{stroke:#2c2c2a}.axis{stroke:#898781}
.m{stroke:#1a1a19}.c0{stroke:#3987e5}.f0{fill:#3987e5}.c1{stroke:#d95926}.f1{fill:#d95926}.c2{stroke:#199e70}.f2{fill:#199e70}
.c3{stroke:#9085e9}.f3{fill:#9085e9}.c4{stroke:#d55181}.f4{fill:#d55181}}
""".strip()
# The same thing has the same colour in every picture.
RECORDING = {"audit ingest": 0, "PostgreSQL": 1, "plain file": 2}
READING = {"audit verify (archive)": 0, "audit verify (store)": 3, "audit report": 1, "audit export": 2}
MEMORY = {"audit ingest": 4, **READING}
SERVICE = {"audit serve": 0, "PostgreSQL": 1, "plain file": 2}


def table(name):
    """What a file says of itself, and its rows."""
    lines = (PICTURES / name).read_text().splitlines()
    facts = dict(line[2:].split("\t", 1) for line in lines if line.startswith("# "))
    return facts, [line.split("\t") for line in lines if line and not line.startswith("#")]


def text(x, y, words, anchor="start", kind=""):
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" class="{kind}">{html.escape(words)}</text>'


def line(x1, y1, x2, y2, kind):
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" class="{kind}"/>'


def short(number):
    """A number of an axis."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if number >= size:
            return f"{number / size:g}{letter}"
    return f"{number:g}"


def apart(wanted, least):
    """Heights near the wanted ones, in their order, each at least so far below the one above."""
    placed = {}
    for key, y in sorted(wanted.items(), key=lambda item: item[1]):
        above = max(placed.values(), default=-math.inf)
        placed[key] = max(y, above + least)
    return placed


class Lines:
    """One panel of lines against the number of events, on a logarithmic axis."""

    WIDTH, HEIGHT, TOP = 230, 230, 44

    def __init__(self, left, title, points, colours, unit, is_logarithmic):
        self.left, self.colours = left, colours
        self.points = {name: points[name] for name in colours}
        xs = [x for series in self.points.values() for x, _ in series]
        ys = [y for series in self.points.values() for _, y in series]
        self.low, self.high = math.log10(min(xs)), math.log10(max(xs))
        self.is_logarithmic = is_logarithmic
        if is_logarithmic:
            self.floor, self.ceiling = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
            self.ticks = [10.0 ** power for power in range(self.floor, self.ceiling + 1)]
        else:
            step = next(step for step in (10, 20, 50, 100, 200, 500, 1000) if max(ys) <= 6 * step)
            self.ticks = [step * count for count in range(math.ceil(max(ys) / step) + 1)]
            self.floor, self.ceiling = 0, self.ticks[-1]
        self.title, self.unit = title, unit

    def x(self, events):
        return self.left + self.WIDTH * (math.log10(events) - self.low) / (self.high - self.low)

    def y(self, value):
        height = math.log10(value) if self.is_logarithmic else value
        return self.TOP + self.HEIGHT * (1 - (height - self.floor) / (self.ceiling - self.floor))

    def drawn(self):
        bottom, right = self.TOP + self.HEIGHT, self.left + self.WIDTH
        out = [text(self.left, 22, self.title, kind="h")]
        for tick in self.ticks:
            y = self.y(tick)
            out += [line(self.left, y, right, y, "grid"),
                    text(self.left - 8, y + 4, f"{short(tick)} {self.unit}", "end", "s")]
        out.append(line(self.left, bottom, right, bottom, "axis"))
        for power in range(math.ceil(self.low), math.floor(self.high) + 1):
            x = self.x(10 ** power)
            out += [line(x, bottom, x, bottom + 4, "axis"), text(x, bottom + 18, short(10 ** power), "middle", "s")]
        out.append(text(self.left + self.WIDTH / 2, bottom + 36, "events", "middle", "s"))
        names = apart({name: self.y(series[-1][1]) for name, series in self.points.items()}, 16)
        for name, series in self.points.items():
            colour = self.colours[name]
            corners = " ".join(f"{self.x(events):.1f},{self.y(value):.1f}" for events, value in series)
            out.append(f'<polyline points="{corners}" class="l c{colour}"/>')
            for events, value in series:
                says = html.escape(f"{name}, {events:,} events: {value:g} {self.unit}")
                out.append(f'<circle cx="{self.x(events):.1f}" cy="{self.y(value):.1f}" r="5" class="m f{colour}">'
                           f"<title>{says}</title></circle>")
            y = names[name]
            out += [line(right + 8, self.y(series[-1][1]), right + 16, y, f"l c{colour}"),
                    text(right + 20, y + 4, name.removeprefix("audit "), kind="n s")]
        return out


class Bars:
    """One panel of bars from zero."""

    WIDTH, BAR, STEP, TOP = 200, 18, 30, 44

    def __init__(self, left, title, values, colours, shown):
        self.left, self.title, self.values, self.colours, self.shown = left, title, values, colours, shown

    def drawn(self):
        out = [text(self.left, 22, self.title, kind="h")]
        most = max(self.values.values())
        for row, (name, colour) in enumerate(self.colours.items()):
            value, y = self.values[name], self.TOP + self.STEP * row
            width = max(2, self.WIDTH * value / most)
            out += [f'<path d="M{self.left},{y}h{width - 2:.1f}q2,0 2,2v{self.BAR - 4}q0,2 -2,2h-{width - 2:.1f}z" class="f{colour}"/>',
                    text(self.left + width + 6, y + 13, self.shown(value), kind="n s")]
        bottom = self.TOP + self.STEP * len(self.colours) - 6
        out.append(line(self.left, self.TOP - 6, self.left, bottom, "axis"))
        return out


def picture(width, height, title, caption, parts):
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
           f"<title>{html.escape(title)}</title>", f"<style>{CSS}</style>",
           f'<rect class="bg" width="{width}" height="{height}" rx="8"/>', *parts,
           text(20, height - 14, caption, kind="s"), "</svg>", ""]
    return "\n".join(out)


def caption(facts):
    return f"commit {facts['commit']}, profile {facts['profile']}, {facts['machine']}"


def by_series(rows, column):
    points = {}
    for row in rows:
        if len(row) > column and row[column]:
            points.setdefault(row[0], []).append((int(row[1]), float(row[column])))
    return points


def pictures():
    """Each picture's name, and what it has to be."""
    facts, rows = table("growth.tsv")
    seconds, megabytes = by_series(rows, 2), by_series(rows, 3)
    panels = [Lines(70, "Processor time: record events", seconds, RECORDING, "s", True),
              Lines(470, "Processor time: read what was sealed", seconds, READING, "s", True)]
    drawn = [part for panel in panels for part in panel.drawn()]
    yield "time.svg", picture(840, 350, "Time against the number of events", caption(facts), drawn)
    memory = Lines(90, "Memory at its most", megabytes, MEMORY, "MB", False)
    memory.WIDTH = 480
    yield "memory.svg", picture(760, 350, "Memory against the number of events", caption(facts), memory.drawn())

    facts, rows = table("service.tsv")
    panels, top = [], 90
    for number, (title, column, shown) in enumerate((
            ("256 events a post: events a second", 1, lambda value: f"{value:,.0f}"),
            ("1 event a post: posts a second", 2, lambda value: f"{value:,.0f}"),
            ("256 a post, half the rate: p99", 3, lambda value: f"{value:g} ms"))):
        values = {row[0]: float(row[column]) for row in rows}
        panels.append(Bars(top + 280 * number, title, values, SERVICE, shown))
    names = [text(top - 10, Bars.TOP + Bars.STEP * row + 13, name, "end", "n s") for row, name in enumerate(SERVICE)]
    drawn = names + [part for panel in panels for part in panel.drawn()]
    yield "service.svg", picture(930, 170, "The service, PostgreSQL and a plain file server", caption(facts), drawn)


def main(check=None):
    stale = []
    for name, svg in pictures():
        if check is None:
            (PICTURES / name).write_text(svg)
            print(f"{PICTURES / name}: {len(svg)} bytes")
        elif (PICTURES / name).read_text() != svg:
            stale.append(name)
    if stale:
        sys.exit(f"not what the numbers say: {', '.join(stale)}; python3 tests/compare/plots.py draws them")


if __name__ == "__main__":
    main(*sys.argv[1:])
