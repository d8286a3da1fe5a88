import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { startCommand } from '../support/command.ts'
import { freshDatabase } from '../support/databases.ts'
import { scratchFolder } from '../support/parts/scratch.ts'

const skip = existsSync('/proc/self/status') ? false : 'the memory of a process can be read on Linux only'
const megabyte = 1_000_000

/** Letters with files of half a megabyte, so that the mailbox is large and its import is not long. */
async function writeLargeMailbox(file: string, megabytes: number): Promise<void> {
  const out = createWriteStream(file)
  for (let written = 0, n = 0; written < megabytes * megabyte; n++) {
    const content = Buffer.alloc(375_000, n).toString('base64').replace(/.{76}/g, '$&\n')
    const letter = `From sender@example.com Tue Nov  3 09:15:00 2026
From: sender@example.com
To: support@shop.example
Subject: File ${n}
Message-ID: <${n}@example.com>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=border

--border

Here it is.
--border
Content-Type: application/octet-stream
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename=file-${n}.bin

${content}
--border--

`
    written += letter.length
    if (!out.write(letter)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

/** The most memory that an import of so large a mailbox ever held, in megabytes. */
async function peakOfImport(megabytes: number): Promise<number> {
  await using database = await freshDatabase('sqlite')
  {
    await using spool = await openSpool(readConfig(database.env), 'inline')
    await addInbox(spool, 'support@shop.example', null)
  }
  const file = join(scratchFolder(`import-memory-${megabytes}`), 'large.mbox')
  await writeLargeMailbox(file, megabytes)
  using child = startCommand(database.env, ['import', file, '--inbox', 'support@shop.example', '--json'])
  child.stdout.resume()
  child.stderr.resume()
  let peak = 0
  const watch = setInterval(() => {
    const status = existsSync(`/proc/${child.pid}/status`)
      ? readFileSync(`/proc/${child.pid}/status`, 'utf8')
      : ''
    peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1000)
  }, 20)
  const [code] = (await once(child, 'exit')) as [number]
  clearInterval(watch)
  assert.equal(code, 0)
  return peak
}

test('the memory of an import does not grow with its mailbox', { skip }, async (t) => {
  const small = await peakOfImport(30)
  const large = await peakOfImport(160)
  t.diagnostic(`peak of 30 MB: ${small.toFixed(0)} MB, of 160 MB: ${large.toFixed(0)} MB`)
  assert.ok(large - small < 80, `${small} MB became ${large} MB`)
  assert.ok(large < 350, `${large} MB`)
})
