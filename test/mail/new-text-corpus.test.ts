import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { findNewText } from '../../src/mail/new-text.ts'

const corpora = process.env['SPOOL_CORPORA']
const count = process.env['SPOOL_TEST_LONG'] === '1' ? 10_000 : 1_500

/** Bodies of plain messages, as they stand in the archive. */
function readBodies(folder: string): string[] {
  const mbox = gunzipSync(readFileSync(join(folder, 'git-2005.mbox.gz'))).toString('latin1')
  return mbox
    .split(/\n(?=From \S+ )/, count)
    .filter(
      (message) => !/^content-(?:type: *multipart|transfer-encoding: *(?:base64|quoted))/im.test(message),
    )
    .map((message) => message.slice(message.indexOf('\n\n') + 2))
    .filter((body) => body.trim() !== '')
}

const isQuoted = (line: string) => /^ {0,3}>/.test(line)
const isWritten = (line: string) => line.trim() !== '' && !isQuoted(line)

const skip = corpora ? false : 'SPOOL_CORPORA is not set'

describe('new text of a mailing list', () => {
  test('quotes go and what people wrote stays', { skip }, () => {
    const seen = { quoted: 0, quotedLeft: 0, written: 0, writtenLeft: 0 }
    const bodies = readBodies(corpora!)
    for (const body of bodies) {
      const found = findNewText(body)
      assert.notEqual(found.trim(), '')
      // A mail of quotes alone stays whole by design.
      if (found === body) continue
      seen.quoted += body.split('\n').filter(isQuoted).length
      seen.quotedLeft += found.split('\n').filter(isQuoted).length
      // Attributions and signatures go as well; what is left is compared above them.
      seen.written += body
        .replace(/^-- \n.*$/ms, '')
        .split('\n')
        .filter(isWritten).length
      seen.writtenLeft += found.split('\n').filter(isWritten).length
    }
    assert.ok(bodies.length > count * 0.8, `${bodies.length} bodies`)
    assert.ok(seen.quotedLeft < seen.quoted * 0.05, JSON.stringify(seen))
    assert.ok(seen.writtenLeft > seen.written * 0.95, JSON.stringify(seen))
  })
})
