"""A merchant in another language: signs with oauthlib, creates profiles, receives callbacks on a server of its own, keeps
books, and leaves what chargecast reconcile compares. Usage: client.py URL STORE DIR METHOD..."""
import base64
import csv
import http.server
import io
import json
import sys
import threading
import time
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlencode

from oauthlib import oauth1

server, store, directory, methods = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
account = json.load(open(store + ".demo.json"))
books, calls, lock = {}, 0, threading.Lock()


class Receiver(http.server.BaseHTTPRequestHandler):
    """Books each attempt once, by client-orderid and repeat, and refuses every fifth callback, which then comes again."""

    def do_POST(self):
        global calls
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        with lock:
            calls += 1
            status = 503 if calls % 5 == 1 else 200
            if status == 200:
                booking = tuple(form[name][0] for name in ("date", "amount", "currency", "status"))
                known = books.setdefault((form["client-orderid"][0], form["repeat"][0]), booking)
                assert known == booking, (known, booking)
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


def admin(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(server + "/_sandbox/v1/" + path, data)).read().decode()


def create(method, payload, key=None):
    """Sends a payload, signed, and returns the status of the answer."""
    if method == "RSA-SHA256":
        signer = oauth1.Client(account["login"], signature_method=oauth1.SIGNATURE_RSA_SHA256, rsa_key=open(store + ".demo.pem").read())
    else:
        signer = oauth1.Client(account["login"], client_secret=key or open(store + ".demo.control-key").read())
    url, headers, body = signer.sign(
        server + "/paynet/api/v4/create-recurring-payments/" + account["endpoint"],
        http_method="POST",
        body=urlencode({"payload": base64.b64encode(payload.encode()).decode()}),
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    try:
        return urllib.request.urlopen(urllib.request.Request(url, body.encode(), headers)).status
    except urllib.error.HTTPError as refused:
        return refused.code


def payload_of(rows):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(rows[0].keys())
    writer.writerows(row.values() for row in rows)
    return text.getvalue()


receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
url = "http://127.0.0.1:%d/callbacks" % receiver.server_port

for method in methods:
    rows = [{
        "rp_card_type": "SRC", "client-orderid": method + "-" + period, "credit-card-number": "4111111111111111", "cvv2": "123",
        "card-printed-name": "ANNA MUSTER", "expire-year": "2099", "expire-month": "12", "amount": amount, "currency": "EUR",
        "country": "DE", "city": "Köln & Ürdingen", "zip-code": "50667", "address1": "Straße 1; \"links\" + 50%", "first-name": "Anna",
        "last-name": "Müller", "email": "anna@example.com", "period": period, "interval": "1", "start-date": "31.01.2026",
        "server_callback_url": url,
    } for period, amount in (("month", "9.90"), ("week", "4.05"), ("day", "0.10"))]
    payload = payload_of(rows)
    status = create(method, payload)
    assert status == 200, (method, status)
    with open(directory + "/" + method + ".csv", "w", encoding="utf-8", newline="") as file:
        file.write(payload)

status = create("HMAC-SHA1", payload_of(rows), key="not-the-control-key")
assert status == 403, status
reason = json.loads(admin("requests?status=403"))["requests"][0]["reason"]
assert reason == "signature-mismatch", reason

admin("outcomes", {"profile": methods[0] + "-month", "repeat": 1, "outcome": "declined", "times": 1})
moved = json.loads(admin("clock", {"to": "2026-04-10"}))
deadline = time.monotonic() + 60
while json.loads(admin("callbacks?state=pending&limit=1"))["callbacks"]:
    assert time.monotonic() < deadline, "callbacks are still pending"
    time.sleep(0.05)

actuals = admin("charges?format=actuals")
with open(directory + "/actuals.csv", "w", encoding="utf-8", newline="") as file:
    file.write(actuals)
repeats, charged = {}, {}
for line in csv.DictReader(io.StringIO(actuals)):
    repeat = repeats[line["profile"]] = repeats.get(line["profile"], -1) + 1
    charged[line["profile"], str(repeat)] = (line["date"], line["amount"], line["currency"], line["outcome"])
assert books == charged, (set(books.items()) ^ set(charged.items()))
assert any(booking[3] == "declined" for booking in books.values())
print(len(books), "charges booked,", calls, "callbacks,", moved["now"])
