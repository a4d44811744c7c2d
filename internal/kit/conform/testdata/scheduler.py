"""A scheduler that follows the default readings, as a program for chargecast-conform."""
import calendar
import datetime
import json
import sys

READINGS = {"month-end": "clamp", "finish-bound": "inclusive", "start-past": "skip"}


def day_of(columns, name):
    return datetime.datetime.strptime(columns[name], "%d.%m.%Y").date() if name in columns else None


def due(number, start, period, interval):
    """The due day with a number, counted from the start date; None past the end of the calendar."""
    try:
        if period != "month":
            return start + datetime.timedelta(days=number * interval * (7 if period == "week" else 1))
        months = start.year * 12 + start.month - 1 + number * interval
        year, month = months // 12, months % 12 + 1
        return datetime.date(year, month, min(start.day, calendar.monthrange(year, month)[1]))
    except (OverflowError, ValueError):
        return None


def amount(columns, repeat):
    if "amount" in columns:
        return {"amount": columns["amount"]}
    if "amount-from" in columns:
        return {"min": columns["amount-from"], "max": columns["amount-to"]}
    elements = columns["amount-sequence"].split(",")
    return {"amount": elements[min(repeat, len(elements) - 1)]}


def forecast(columns, today, until):
    period, interval = columns.get("period"), int(columns.get("interval", 0))
    start, finish = day_of(columns, "start-date") or today, day_of(columns, "finish-date")
    charges, number = [], 0

    def reasons(over):
        capped = len(charges) >= int(columns.get("max-repeats-number", len(charges) + 1))
        return ["max-repeats"] * capped + ["finish-date"] * over

    while True:
        stopped = reasons(finish is not None and today > finish)
        if not stopped and period:
            while (day := due(number, start, period, interval)) and day < today:
                number += 1
            if day == today:
                charges.append({"repeat": len(charges), "date": str(today), **amount(columns, len(charges))})
        stopped = stopped or reasons(finish is not None and today >= finish)
        if stopped or today == until:
            break
        today += datetime.timedelta(days=1)
    stop = {"date": str(today), "reasons": stopped} if stopped else None
    return {"charges": charges, "end": {"status": "stopped" if stop else "active", "repeat": len(charges), "stop": stop}}


for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "hello":
        reply = {"name": "scheduler.py", "ops": ["forecast"]}
    elif not request["policy"].items() <= READINGS.items() or request["state"] is not None:
        reply = {"error": {"code": "not-supported"}}
    else:
        reply = forecast(request["columns"], *(datetime.date.fromisoformat(request[name]) for name in ("as_of", "until")))
    print(json.dumps({"id": request["id"], **reply}), flush=True)
