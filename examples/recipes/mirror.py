"""Keeps a copy of everything in an SQLite database. Run it as often as you like, with SPOOL_URL and SPOOL_TOKEN: it
fetches only what has changed since the last run."""

import json
import sqlite3

from threads import changed_threads

db = sqlite3.connect("mirror.db", isolation_level=None)
db.executescript("""
  CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, subject TEXT, status TEXT, updated_at TEXT, json TEXT);
  CREATE TABLE IF NOT EXISTS entries (thread_id TEXT, position INTEGER, type TEXT, json TEXT, PRIMARY KEY (thread_id, position));
  CREATE TABLE IF NOT EXISTS notes (id TEXT PRIMARY KEY, thread_id TEXT, text TEXT, json TEXT);
  CREATE TABLE IF NOT EXISTS position (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), cursor TEXT);
""")


def forget(id):
    db.execute("DELETE FROM threads WHERE id = ?", (id,))
    db.execute("DELETE FROM entries WHERE thread_id = ?", (id,))
    db.execute("DELETE FROM notes WHERE thread_id = ?", (id,))


def save(thread, history, notes):
    id = thread["id"]
    forget(id)
    for entry in history:
        # What was merged into this thread is a thread no more.
        if entry["type"] == "merged":
            forget(entry["threadId"])
    row = (id, thread["subject"], thread["status"], thread["updatedAt"], json.dumps(thread))
    db.execute("INSERT INTO threads VALUES (?, ?, ?, ?, ?)", row)
    for position, entry in enumerate(history):
        db.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", (id, position, entry["type"], json.dumps(entry)))
    for note in notes:
        db.execute("INSERT INTO notes VALUES (?, ?, ?, ?)", (note["id"], id, note["text"], json.dumps(note)))


last = db.execute("SELECT cursor FROM position").fetchone()
count = 0
for thread, history, notes, cursor in changed_threads(last and last[0]):
    # A thread and the position after it are one commit, so a run can be cut off anywhere.
    db.execute("BEGIN")
    if thread:
        save(thread, history, notes)
        count += 1
    db.execute("INSERT OR REPLACE INTO position VALUES (1, ?)", (cursor,))
    db.execute("COMMIT")
print(f"{count} threads are new or have changed")
