"""Tells a chat of every new mail: SPOOL_URL, SPOOL_TOKEN and NOTIFY_URL, which takes {"text": "…"} as Slack and others do."""

import gzip
import json
import os
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

API = os.environ["SPOOL_URL"].rstrip("/") + "/api/v1"
# Where it stopped, so that mail that comes while it is not running is told later.
KEPT = "notify.position"


def ask(path, **headers):
    """Opens an answer; waits as long as Spool says when it is asked too often or is away."""
    headers["Authorization"] = "Bearer " + os.environ["SPOOL_TOKEN"]
    while True:
        try:
            return urlopen(Request(API + path, headers=headers), timeout=60)
        except HTTPError as error:
            if error.code not in (429, 502, 503, 504):
                raise
            time.sleep(int(error.headers.get("Retry-After", 5)))


def read(path):
    with ask(path, **{"Accept-Encoding": "gzip"}) as response:
        body = response.read()
        return json.loads(gzip.decompress(body) if response.headers["Content-Encoding"] == "gzip" else body)


def find_newest():
    """The position of the newest event: at the end of a list the cursor is the end of the log, whatever was asked for."""
    after, page = 0, {"data": [None]}
    path = "/events?type=webhook.test"
    while page["data"]:
        page = read(path)
        after = page["nextCursor"]
        path = f"/events?type=webhook.test&after={after}"
    return after


def keep(position):
    with open(KEPT, "w") as file:
        file.write(str(position))
    return position


def notify(message):
    sender = message["from"]["name"] or message["from"]["address"]
    text = f"{sender}: {message['subject']}\n{message['newText'][:300]}"
    body = json.dumps({"text": text}).encode()
    urlopen(Request(os.environ["NOTIFY_URL"], body, {"Content-Type": "application/json"}), timeout=60).close()


def follow(after):
    """Every event once and in order; a connection that breaks is opened again where it broke."""
    while True:
        try:
            path = f"/events?type=message.received&after={after}"
            with ask(path, Accept="text/event-stream") as stream:
                for line in stream:
                    if line.startswith(b"id: "):
                        after = int(line[4:])
                    elif line.startswith(b"data: "):
                        yield json.loads(line[6:])
        except HTTPError as error:
            if error.code != 410:
                raise
            # There was no mail for so long that the position is older than the log: all that is kept is new.
            after = json.load(error)["details"]["oldest"]
        except OSError:
            pass
        time.sleep(1)


if os.path.exists(KEPT):
    with open(KEPT) as file:
        position = int(file.read())
else:
    position = keep(find_newest())
for event in follow(position):
    notify(read("/messages/" + event["data"]["messageId"]))
    keep(event["data"]["seq"])
