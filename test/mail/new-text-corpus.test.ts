import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { parseMail } from '../../src/mail/parse.ts'
import { otherwiseLabelled } from './other-labels.ts'

const corpora = process.env['SPOOL_CORPORA']
const skip = corpora ? false : 'SPOOL_CORPORA is not set'
const count = process.env['SPOOL_TEST_LONG'] === '1' ? 10_000 : 1_500

function* readMailingList(): Generator<Buffer> {
  const mbox = gunzipSync(readFileSync(join(corpora!, 'git-2005.mbox.gz'))).toString('latin1')
  for (const message of mbox.split(/\n(?=From \S+ .*\d{4}\n)/, count))
    yield Buffer.from(message.slice(message.indexOf('\n') + 1), 'latin1')
}

const isQuoted = (line: string) => /^ {0,3}>/.test(line)
/** "LT> as Emacs quotes" */
const isInitialled = (line: string) => /^[A-Za-z]{1,4}>/.test(line)

/** Lines that went although they are neither quoted, nor an attribution, nor part of a signature or an older message. */
function findLost(text: string, newText: string): string[] {
  const lines = text.split('\n')
  const kept = newText.split('\n')
  const older = lines.findIndex((line) => /^-+ ?Original Message ?-+$/i.test(line.trim()))
  let next = 0
  return lines.filter((line, at) => {
    if (line === kept[next]) {
      next++
      return false
    }
    if (line.trim() === '' || isQuoted(line) || isInitialled(line) || /^[-_]+$/.test(line)) return false
    if (older !== -1 && at >= older) return false
    if (lines.slice(Math.max(0, at - 30), at + 1).some((above) => /^--\s?$/.test(above))) return false
    if (/^(?:Gesendet von|Sent (?:from|via)) /.test(line)) return false
    return !endsInAttribution(lines.slice(at, at + 4))
  })
}

/** Whether these lines begin with a sentence that says who wrote what follows. */
function endsInAttribution(lines: readonly string[]): boolean {
  const end = lines.findIndex((line) => /(?:[:…]|\.\.\.|wrote)\s*$/.test(line))
  return (
    end !== -1 &&
    /\b(?:wrote|writes|said|says|told|schrieb|scritto)\b|@|\d{4}/i.test(lines.slice(0, end + 1).join(' '))
  )
}

describe('new text of a mailing list', () => {
  test('nobody loses a line, and hardly a quote is left', { skip }, () => {
    const losing: string[] = []
    let quoting = 0
    let left = 0
    for (const raw of readMailingList()) {
      const { subject, text, newText } = parseMail(raw)
      assert.equal(newText.trim() === '', text.trim() === '')
      const lost = findLost(text, newText)
      if (lost.length > 0) losing.push(`${subject}: ${lost.join(' | ')}`)
      if (text.split('\n').filter(isQuoted).length <= 3) continue
      quoting++
      if (newText.split('\n').some(isQuoted)) left++
    }
    assert.deepEqual(losing, [])
    assert.ok(quoting > count / 3, `${quoting} quote`)
    assert.ok(left <= quoting * 0.01, `${left} of ${quoting}`)
  })
})

interface Case {
  name: string
  newText: string
  expected: string
  /** Whether nothing else may be in it. */
  isWhole: boolean
}

function* readCases(): Generator<Case> {
  const folder = join(corpora!, 'replies')
  for (const set of readdirSync(folder, { withFileTypes: true })) {
    if (!set.isDirectory() || set.name === 'licences') continue
    for (const file of readdirSync(join(folder, set.name))) {
      const [, name, kind] = /^(.*)\.(txt|html|eml)$/.exec(file) ?? []
      if (name === undefined) continue
      const [whole, part] = ['expected', 'contains'].map((end) => join(folder, set.name, `${name}.${end}`))
      const type = kind === 'txt' ? 'plain' : 'html'
      const header = kind === 'eml' ? '' : `Content-Type: text/${type}; charset=utf-8\n\n`
      const raw = Buffer.concat([Buffer.from(header), readFileSync(join(folder, set.name, file))])
      const { newText } = parseMail(raw)
      const isWhole = existsSync(whole!)
      const expected = readFileSync(isWhole ? whole! : part!, 'utf8')
      yield { name: `${set.name}/${name}`, newText, expected, isWhole }
    }
  }
}

/** Words of one that the other has not, or not as often. */
function wordsMissing(from: string, wanted: string): number {
  const counts = new Map<string, number>()
  for (const [word] of from.matchAll(/[\p{L}\p{N}_]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1)
  let missing = 0
  for (const [word] of wanted.matchAll(/[\p{L}\p{N}_]+/gu)) {
    const have = counts.get(word) ?? 0
    if (have === 0) missing++
    else counts.set(word, have - 1)
  }
  return missing
}

describe('new text of labelled replies', () => {
  test('is exact in most, and loses nothing', { skip }, () => {
    const cases = [...readCases()]
    const agreeing = cases.filter(({ name }) => !otherwiseLabelled.has(name))
    assert.ok(cases.length > 150, `${cases.length} cases`)
    assert.ok(cases.length - agreeing.length <= cases.length / 8)
    assert.deepEqual(
      agreeing.filter((each) => wordsMissing(each.newText, each.expected) > 0).map(({ name }) => name),
      [],
    )
    const exact = cases.filter(isExact).length
    const exactAgreeing = agreeing.filter(isExact).length
    assert.ok(exact >= cases.length * 0.87, `${exact} of ${cases.length}`)
    assert.ok(exactAgreeing >= agreeing.length * 0.96, `${exactAgreeing} of ${agreeing.length}`)
  })
})

function isExact({ newText, expected, isWhole }: Case): boolean {
  return wordsMissing(newText, expected) === 0 && (!isWhole || wordsMissing(expected, newText) === 0)
}
