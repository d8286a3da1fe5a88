// Tells a chat of every new mail: SPOOL_URL, SPOOL_TOKEN and NOTIFY_URL, which takes {"text": "…"} as Slack and others do.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Spool } from '@spool-inbox/client'

const { SPOOL_URL = '', SPOOL_TOKEN = '', NOTIFY_URL = '' } = process.env
const spool = new Spool({ url: SPOOL_URL, token: SPOOL_TOKEN })

// Where it stopped, so that mail that comes while it is not running is told later.
const kept = 'notify.position'
const after = existsSync(kept) ? Number(readFileSync(kept, 'utf8')) : await spool.newest()
writeFileSync(kept, String(after))

// There was no mail for so long that the position is older than the log: all that is kept is new.
const onResync = () => undefined
for await (const { data } of spool.follow({ after, type: ['message.received'], onResync })) {
  const { from, subject, newText } = await spool.message(data.messageId!)
  const text = `${from.name ?? from.address}: ${subject}\n${newText.slice(0, 300)}`
  const answer = await fetch(NOTIFY_URL, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
  })
  if (!answer.ok) throw new Error(`The chat answered ${answer.status}.`)
  writeFileSync(kept, String(data.seq))
}
