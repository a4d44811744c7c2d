"""Runs the vectors of the op forecast with arithmetic of its own: python3 forecast.py FILE.jsonl...

An example of a runner: it knows README.md and the document, and shares nothing with the Go code.
Exit 1 when a vector differs; the last line says how many were run."""
import json
import sys
from datetime import date, timedelta
from decimal import Decimal

DAY = timedelta(days=1)


def dotted(text):
    return date(int(text[6:]), int(text[3:5]), int(text[:2])) if text else None


def month_day(start, months, month_end):
    """The day that falls on a month: the start's day of month, or what month-end makes of it."""
    at = start.year * 12 + start.month - 1 + months
    if at >= 120000:
        return None
    try:
        return date(at // 12, at % 12 + 1, start.day)
    except ValueError:
        if month_end == "skip":
            return None
        if at + 1 >= 120000:
            return None
        first = date((at + 1) // 12, (at + 1) % 12 + 1, 1)
        return {"clamp": first - DAY, "next-first": first,
                "overflow": first + (start.day - 1 - (first - DAY).day) * DAY}[month_end]


def slots(columns, anchor, first, last, month_end):
    """The due days from first to last, counted from the anchor."""
    if "period" not in columns or first > last:
        return
    step = int(columns["interval"])
    if columns["period"] == "month":
        far = (first.year - anchor.year) * 12 + first.month - anchor.month
        k = max(0, far // step - 2)
        while anchor.year * 12 + anchor.month - 1 + k * step <= last.year * 12 + last.month:
            day = month_day(anchor, k * step, month_end)
            if day and first <= day <= last:
                yield day
            k += 1
        return
    step *= 7 if columns["period"] == "week" else 1
    number = anchor.toordinal() + max(0, -(-(first - anchor).days // step)) * step
    while number <= last.toordinal():
        yield date.fromordinal(number)
        number += step


def allowed(columns, policy):
    has = columns.__contains__
    modes = has("amount") + has("amount-sequence") + (has("amount-from") and has("amount-to"))
    return (modes == 1 and columns.get("period", "day") in ("day", "week", "month") and has("amount-from") == has("amount-to") and has("period") == has("interval")
            and not (has("period") and columns["rp_card_type"] != "SRC")
            and not (has("amount-from") and Decimal(columns["amount-from"]) > Decimal(columns["amount-to"]))
            and int(columns.get("interval", 1)) > 0 and int(columns.get("max-repeats-number", 0)) >= 0
            and not (columns.get("max-repeats-number") == "0" and policy.get("max-zero") == "reject"))


def cap_of(columns, policy):
    if "max-repeats-number" not in columns:
        return None
    cap = int(columns["max-repeats-number"])
    if cap == 0:
        return None if policy.get("max-zero") == "unlimited" else 0
    return cap + (policy.get("max-counts") == "repeats-after-first")


def amount_of(columns, repeat):
    if "amount-sequence" in columns:
        elements = columns["amount-sequence"].split(",")
        return {"amount": elements[min(repeat, len(elements) - 1)]}
    if "amount" in columns:
        return {"amount": columns["amount"]}
    return {"min": columns["amount-from"], "max": columns["amount-to"]}


def forecast(columns, as_of, until, policy, state):
    refused = {"rejected": True}
    if not allowed(columns, policy):
        return refused
    start, finish, cap = dotted(columns.get("start-date")), dotted(columns.get("finish-date")), cap_of(columns, policy)
    month_end, scheduled = policy.get("month-end", "clamp"), "period" in columns
    anchor, repeat, first, paid, owed = start or as_of, 0, as_of, [], []
    known = state or {}
    if not start and scheduled and policy.get("start-absent") == "reject" and "anchor" not in known:
        return refused
    if state is None and scheduled and anchor < as_of:
        how = policy.get("start-past", "skip")
        missed = list(slots(columns, anchor, anchor, as_of - DAY, month_end)) if how in ("catch-up", "count-missed") else []
        if how == "reject":
            return refused
        if how == "reanchor":
            anchor = as_of
        owed, repeat = (missed if how == "catch-up" else []), (len(missed) if how == "count-missed" else 0)
    if state is not None:
        ran = date.fromisoformat(known["ran_through"]) if "ran_through" in known else as_of - DAY
        paid = [date.fromisoformat(d) for d in known.get("paid", [])]
        if ran > as_of or any(d > as_of for d in paid):
            return refused
        anchor = date.fromisoformat(known["anchor"]) if "anchor" in known else anchor
        repeat, first = known.get("repeat", 0), max(as_of, ran + DAY) if ran < date.max else as_of
        if known.get("status") == "stopped":
            return {"charges": [], "end": {"status": "stopped", "repeat": repeat}}
        if policy.get("run-missed") == "catch-up":
            owed = [d for d in slots(columns, anchor, ran + DAY, as_of - DAY, month_end)]
    over = finish and (finish if policy.get("finish-bound") == "exclusive" else finish + DAY if finish < date.max else None)
    charges, stop = [], None
    if first <= until:  # the first run finds a stop that holds already
        reasons = ["max-repeats"] * (cap is not None and repeat >= cap) + ["finish-date"] * bool(over and first >= over)
        stop = {"date": first.isoformat(), "reasons": reasons} if reasons else None
    due = [(first, slot) for slot in owed] + [(d, d) for d in slots(columns, anchor, max(first, anchor), until, month_end)]
    for day, slot in due:
        if stop or slot in paid or (over and day >= over):
            continue
        charge = {"repeat": repeat, "date": day.isoformat(), **amount_of(columns, repeat)}
        if slot != day:
            charge["slot"] = slot.isoformat()
        charges.append(charge)
        repeat += 1
        if cap is not None and repeat >= cap:
            stop = {"date": day.isoformat(), "reasons": ["max-repeats"] + ["finish-date"] * (day == finish)}
    if not stop and finish and finish <= until:
        stop = {"date": max(finish, first).isoformat(), "reasons": ["finish-date"]}
    return {"charges": charges, "end": {"status": "stopped" if stop else "active", "repeat": repeat, "stop": stop}}


def same(got, want):
    if got.get("rejected") or want.get("rejected"):
        return got.get("rejected") == want.get("rejected")
    money = ("amount", "min", "max")

    def value(record):  # a fixed amount is a range of one
        bounds = [Decimal(record.get("amount") or record[k]) for k in ("min", "max")]
        return {k: v for k, v in record.items() if k not in money}, bounds

    end = {k: v for k, v in got["end"].items() if k in want["end"]}
    return [value(c) for c in got["charges"]] == [value(c) for c in want["charges"]] and end == want["end"]


def main(names):
    run = wrong = 0
    for name in names:
        for line in open(name, encoding="utf-8"):
            vector = json.loads(line)
            if vector["op"] != "forecast":
                continue
            given, readings = vector["input"], vector.get("readings")
            for value, want in readings.items() if readings else [(None, vector.get("expect"))]:
                policy = dict(given.get("policy", {}), **({vector["key"]: value} if value else {}))
                got = forecast(given["columns"], date.fromisoformat(given["as_of"]), date.fromisoformat(given["until"]), policy, given.get("state"))
                run += 1
                if not same(got, want):
                    wrong += 1
                    print(vector["id"], value or "", "\n got", json.dumps(got), "\nwant", json.dumps(want))
    print(f"{run} expectations, {wrong} differ")
    sys.exit(1 if wrong or not run else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
