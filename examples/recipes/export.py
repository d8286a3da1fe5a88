"""Writes every thread that is new or has changed since the last run to a file of today, a line each. Run it every night
with SPOOL_URL and SPOOL_TOKEN. A run that was cut off goes on after the last thread that is in the file."""

import datetime
import json
import os

from threads import changed_threads

KEPT = "export.cursor"

cursor = None
if os.path.exists(KEPT):
    with open(KEPT) as file:
        cursor = file.read()
name = f"threads-{datetime.datetime.now(datetime.timezone.utc).date()}.ndjson"
count = 0
with open(name, "a") as file:
    for thread, history, notes, cursor in changed_threads(cursor):
        if thread:
            file.write(json.dumps({**thread, "history": history, "notes": notes}) + "\n")
            file.flush()
            count += 1
        with open(KEPT, "w") as kept:
            kept.write(cursor)
print(f"{count} threads in {name}")
