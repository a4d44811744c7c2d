"""Runs the vectors of the op reconcile with an answer of its own: python3 reconcile.py FILE.jsonl...

It knows README.md and the words of the command reconcile, takes charges from forecast.py, and tries every policy on every
profile. Exit 1 when a vector differs; the last line says how many were run."""
import csv
import io
import json
import sys
from datetime import date, timedelta
from decimal import Decimal
from itertools import product

sys.dont_write_bytecode = True
import forecast

KEYS = {  # of profiles without events; the default first
    "month-end": ["clamp", "skip", "next-first", "overflow"], "start-absent": ["as-of", "reject"],
    "start-past": ["skip", "catch-up", "count-missed", "reanchor", "reject"], "finish-bound": ["inclusive", "exclusive"],
    "max-counts": ["charges", "repeats-after-first"], "max-zero": ["stop", "unlimited", "reject"], "run-missed": ["skip", "catch-up"],
}
COLUMNS = ["profile", "date", "amount", "currency", "outcome", "created", "id"]
BAD = ("amount", "missing", "extra")  # unknown lines count neither for nor against


def lines_of(texts):
    """The lines of all files, and the problems with them, by file and line."""
    lines, problems = [], []
    for name, text in texts:
        if text.startswith("{"):
            rows = [(n, json.loads(row)) for n, row in enumerate(text.split("\n"), 1) if row.strip()]
        else:
            sep = max(";,\t", key=text.split("\n")[0].count)
            reader = csv.reader(io.StringIO(text), delimiter=sep)
            header = next(reader)
            rows = [(reader.line_num, dict(zip(header, row))) for row in reader if "".join(row).strip()]
        for n, row in rows:
            line = {"file": name, "line": n, **{c: row.get(c) or "" for c in COLUMNS}}
            try:
                line["date"] = forecast.dotted(line["date"]) if "." in line["date"] else date.fromisoformat(line["date"])
                line["created"] = date.fromisoformat(line["created"]) if line["created"] else None
                line["amount"] = Decimal(line["amount"]) if line["outcome"] != "none" else None
            except (ValueError, ArithmeticError):
                problems.append([name, n])
                continue
            lines.append(line)
    return lines, problems


def charges_of(row, as_of, through, policy, declined):
    """What a policy charges, in order of date; nothing where it refuses the row."""
    got = forecast.forecast(row["columns"], as_of, through, policy, row.get("state"))
    charges = []
    for c in got.get("charges", []):
        low, high = (Decimal(c.get("amount") or c[k]) for k in ("min", "max"))
        charges.append({"repeat": c["repeat"], "slot": c.get("slot"), "date": date.fromisoformat(c["date"]), "min": low, "max": high, "declined": c["repeat"] in declined})
    return charges


def match(charges, lines, lag):
    """Which line each charge has: on its own day; later, the oldest charge first; with another amount on its day."""
    of, used = {}, set()

    def pair(order, fits):
        for c in order:
            for n, line in enumerate(lines):
                if c not in of and n not in used and fits(charges[c], line):
                    of[c] = n
                    used.add(n)

    def amount(c, line):
        return c["min"] <= line["amount"] <= c["max"]

    for late in (False, True):
        for declined in (False, True):  # an approved charge needs a line
            order = [n for n, c in enumerate(charges) if c["declined"] == declined]
            if not late:  # of one day the choices that are narrow first
                order.sort(key=lambda n: (charges[n]["date"], charges[n]["max"], -charges[n]["min"]))
                pair(order, lambda c, line: line["date"] == c["date"] and amount(c, line))
            else:
                pair(order, lambda c, line: 0 < (line["date"] - c["date"]).days <= lag and amount(c, line))
    for declined in (False, True):
        pair([n for n, c in enumerate(charges) if c["declined"] == declined], lambda c, line: line["date"] == c["date"])
    return of, used


def records(charges, lines, lag, through):
    """What became of charges and lines up to a day, in order of date, charges first."""
    lines = sorted((line for line in lines if line["date"] <= through), key=lambda line: (line["date"], line["amount"]))
    charges = [c for c in charges if c["date"] <= through]
    of, used = match(charges, lines, lag)
    found = []
    for n, c in enumerate(charges):
        line = lines[of[n]] if n in of else None
        if line is None and (through - c["date"]).days < lag:
            continue
        if line is None:
            kind = "matched" if c["declined"] else "missing"
        elif not c["min"] <= line["amount"] <= c["max"]:
            kind = "amount"
        else:
            kind = "matched" if line["date"] == c["date"] else "late"
        found.append([c["date"], kind, c, line])
    found += [[line["date"], "extra", None, line] for n, line in enumerate(lines) if n not in used]
    return sorted(found, key=lambda r: r[0])


def faults(found):
    return [r for r in found if r[1] in BAD]


class Profile:
    """A row with its lines, and what is charged under every policy."""

    def __init__(self, number, row, lines, given, declined):
        self.number, self.row, self.id = number, row, row["columns"]["client-orderid"]
        self.lag, self.through = given.get("lag", 0), date.fromisoformat(given["through"])
        self.lines = [line for line in lines if line["profile"] == self.id]
        created = {line["created"] for line in self.lines if line["created"]} if row.get("state") is None else set()
        as_of = given.get("as_of") and date.fromisoformat(given["as_of"])
        self.left_out = len(created) > 1 or not created and as_of is None
        as_of = min(created, default=as_of)
        self.after = [line for line in self.lines if line["date"] > self.through]
        upto = [line for line in self.lines if line["date"] <= self.through]
        self.unknown = [line for line in upto if self.left_out or line["currency"] not in ("", row["columns"]["currency"])
                        or line["amount"] is not None and line["amount"] <= 0]
        self.paid = [line for line in upto if line not in self.unknown and line["amount"] is not None]
        self.nones, self.problems = [], []
        for line in upto:
            if line["amount"] is None and line not in self.unknown:
                other = any(o["date"] == line["date"] for o in self.paid + self.unknown + self.nones)
                (self.problems if other else self.nones).append(line)
        self.charged = {}
        if not self.left_out:
            for values in product(*KEYS.values()):
                policy = dict(zip(KEYS, values))
                self.charged[values] = charges_of(row, as_of, self.through, policy, declined) if as_of <= self.through else []

    def rests_on(self):
        """The keys a change of which changes a charge, whatever the others are."""
        keys = list(KEYS)
        return [k for n, k in enumerate(keys) if any(self.charged[v] != self.charged[v[:n] + (KEYS[k][0],) + v[n + 1:]] for v in self.charged)]

    def explains(self, values, through):
        return not faults(records(self.charged[values], self.paid, self.lag, through))

    def decide(self):
        """The policies that explain the profile whole; None where it decides nothing."""
        if self.left_out or not self.paid + self.nones:
            return None
        known = {}

        def explains(values):  # policies that charge alike explain alike
            alike = repr(self.charged[values])
            if alike not in known:
                known[alike] = self.explains(values, self.through)
            return known[alike]

        return [v for v in self.charged if explains(v)]

    def decided_on(self, key, value):
        n = list(KEYS).index(key)
        others = {repr(c): v for v, c in self.charged.items() if v[n] != value}.values()
        days = sorted({r for r in [line["date"] for line in self.paid] + [c["date"] + timedelta(self.lag) for v in others for c in self.charged[v]]})
        return next(d for d in days if not any(self.explains(v, d) for v in others))

    def nearest(self):
        def rank(values):
            bad = faults(records(self.charged[values], self.paid, self.lag, self.through))
            return (-bad[0][0].toordinal(), len(bad), sum(v != KEYS[k][0] for k, v in zip(KEYS, values)))

        best = min(self.charged, key=rank)
        first = faults(self.records(best))[0]
        keys = self.rests_on()
        return ",".join(f"{k}={v}" for k, v in zip(KEYS, best) if k in keys), first

    def records(self, values):
        found = [] if self.left_out else records(self.charged[values], self.paid, self.lag, self.through)
        for line in sorted(self.nones, key=lambda line: line["date"]):
            missing = next((r for r in found if r[1] == "missing" and r[0] == line["date"]), None)
            if missing:
                missing[3] = line
            else:
                found.append([line["date"], "matched", None, line])
        return sorted(found + [[line["date"], "unknown", None, line] for line in self.unknown], key=lambda r: r[0])


def told(profile, row, record):
    _, kind, charge, line = record
    return {"profile": profile, "row": row, "kind": kind,
            "expected": charge and {"repeat": charge["repeat"], "date": charge["date"].isoformat()},
            "actual": line and {**({"file": line["file"]} if line["file"] else {}), "line": line["line"]}}


def reconcile(given):
    declined = {s["repeat"] for s in given.get("script", []) if s.get("outcome") == "declined"}
    texts = given["actual"]
    lines, problems = lines_of([("" if len(texts) == 1 else name, text) for name, text in texts.items()])
    ids = [row["columns"]["client-orderid"] for row in given["rows"]]
    profiles = [Profile(n, row, lines, given, declined) for n, row in enumerate(given["rows"], 1) if ids.count(row["columns"]["client-orderid"]) == 1]
    votes = {(k, v): [0, 0, None] for k in KEYS for v in KEYS[k]}
    unexplained = []
    for p in profiles:
        whole = p.decide()
        if whole is None:
            continue
        if not whole:
            unexplained.append(p)
            continue
        for n, k in enumerate(KEYS):
            for v in KEYS[k]:
                with_it = sum(values[n] == v for values in whole)
                if with_it == len(whole):
                    votes[k, v][0] += 1
                    votes[k, v][2] = votes[k, v][2] or p
                elif with_it == 0:
                    votes[k, v][1] += 1
    readings, policy = [], {k: KEYS[k][0] for k in KEYS}
    for (k, v), (pro, contra, by) in votes.items():
        if pro or contra:
            verdict = "contradicted" if pro and contra else "observed" if pro else "refuted"
            decided = None
            if verdict == "observed":
                policy[k] = v
                decided = {"profile": by.id, "date": by.decided_on(k, v).isoformat()}
            readings.append({"key": k, "value": v, "verdict": verdict, "for": pro, "against": contra, "decided_by": decided})
    policy.update(given.get("policy", {}))
    through = date.fromisoformat(given["through"])
    after, list_ = 0, []
    for p in profiles:
        problems += [[line["file"], line["line"]] for line in p.problems]
        after += len(p.after)
        list_ += [told(p.id, p.number, r) for r in p.records(tuple(policy.values()))]
    for line in lines:
        if ids.count(line["profile"]) != 1:
            after += line["date"] > through
            if line["date"] <= through:
                list_.append(told(line["profile"], None, [None, "unknown", None, line]))
    out = []
    for p in unexplained:
        keys, first = p.nearest()
        out.append({"profile": p.id, "nearest": keys, "first": told(p.id, p.number, first)})
    left_out = sum(ids.count(i) > 1 for i in ids) + sum(p.left_out for p in profiles)
    return {"records": list_, "unexplained": out, "readings": readings, "after": after, "left_out": left_out, "problems": sorted(problems)}


def main(names):
    run = wrong = 0
    for name in names:
        for text in open(name, encoding="utf-8"):
            vector = json.loads(text)
            if vector["op"] != "reconcile":
                continue
            got = reconcile(vector["input"])
            run += 1
            if got != vector["expect"]:
                wrong += 1
                print(vector["id"], "\n got", json.dumps(got), "\nwant", json.dumps(vector["expect"]))
    print(f"{run} expectations, {wrong} differ")
    sys.exit(1 if wrong or not run else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
