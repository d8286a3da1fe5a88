"""Reads an export thread by thread; what is cut off goes on where it was cut. For export.py and mirror.py."""

import gzip
import http.client
import json
import os
import time
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

API = os.environ["SPOOL_URL"].rstrip("/") + "/api/v1"


def ask(path):
    """Opens an answer; waits as long as Spool says when it is asked too often or is away."""
    headers = {"Authorization": "Bearer " + os.environ["SPOOL_TOKEN"], "Accept-Encoding": "gzip"}
    while True:
        try:
            return urlopen(Request(API + path, headers=headers), timeout=60)
        except HTTPError as error:
            if error.code not in (429, 502, 503, 504):
                raise
            time.sleep(int(error.headers.get("Retry-After", 5)))


def rows(cursor):
    query = "?" + urlencode({"cursor": cursor}) if cursor else ""
    with ask("/export" + query) as response:
        lines = gzip.open(response) if response.headers["Content-Encoding"] == "gzip" else response
        for line in lines:
            yield json.loads(line)


def changed_threads(cursor):
    """(thread, history, notes, cursor) for what has changed since the cursor, at last (None, None, None, cursor)."""
    cuts = 0
    while cuts < 5:
        current = None
        try:
            for row in rows(cursor):
                if row["type"] == "entry":
                    current[1].append(row["entry"])
                elif row["type"] == "note":
                    current[2].append(row["note"])
                elif row["type"] in ("thread", "end"):
                    # The next one begins, so the last one is complete.
                    if current:
                        cursor, cuts = current[3], 0
                        yield current
                    if row["type"] == "end":
                        yield None, None, None, row["cursor"]
                        return
                    current = row["thread"], [], [], row["cursor"]
        except HTTPError:
            raise
        except (OSError, EOFError, http.client.HTTPException, json.JSONDecodeError):
            pass
        cuts += 1
        time.sleep(1)
    raise SystemExit("The export was cut off again and again; run it again later.")
