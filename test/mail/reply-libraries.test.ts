import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { before, test } from 'node:test'
import { parseMail } from '../../src/mail/parse.ts'
import { installTools } from '../support/tools.ts'
import { makeChains } from './chains/chains.ts'
import { wordsMissing } from './chains/words.ts'
import { otherwiseLabelled } from './other-labels.ts'

let planer: { extractFromPlain(text: string): string }
let EmailReplyParser: new () => { parseReply(text: string): string }
before(async () => {
  const { load } = await installTools(join(import.meta.dirname, 'tools'))
  planer = load('planer')
  ;({ default: EmailReplyParser } = load<{ default: typeof EmailReplyParser }>('email-reply-parser'))
})

const corpora = process.env['SPOOL_CORPORA']
const every = process.env['SPOOL_TEST_LONG'] === '1' ? 1 : 9

/** All get the text that a person sees; the libraries' own HTML readers need a browser's document. */
const readers: Record<string, (raw: Buffer) => string> = {
  spool: (raw) => parseMail(raw).newText,
  'email-reply-parser': (raw) => new EmailReplyParser().parseReply(parseMail(raw).text),
  planer: (raw) => planer.extractFromPlain(parseMail(raw).text),
}

interface Case {
  raw: Buffer
  expected: string
}

function countExact(cases: readonly Case[], read: (raw: Buffer) => string): number {
  return cases.filter(({ raw, expected }) => {
    const found = read(raw)
    return wordsMissing(found, expected) === 0 && wordsMissing(expected, found) === 0
  }).length
}

function* readReplies(folder: string): Generator<Case> {
  for (const file of readdirSync(folder)) {
    const [, name, kind] = /^(.*)\.(txt|html|eml)$/.exec(file) ?? []
    const label = join(folder, `${name}.expected`)
    if (name === undefined || !existsSync(label) || otherwiseLabelled.has(`${basename(folder)}/${name}`))
      continue
    const header =
      kind === 'eml' ? '' : `Content-Type: text/${kind === 'txt' ? 'plain' : 'html'}; charset=utf-8\n\n`
    const raw = Buffer.concat([Buffer.from(header), readFileSync(join(folder, file))])
    yield { raw, expected: readFileSync(label, 'utf8') }
  }
}

/** Level only where all of a set are exact: nothing can be better than that. */
function assertBetter(
  name: string,
  cases: readonly Case[],
  t: { diagnostic: (message: string) => void },
): void {
  const scores = Object.entries(readers).map(([reader, read]) => [reader, countExact(cases, read)] as const)
  const told = `${name}: ${scores.map(([reader, exact]) => `${reader} ${exact}`).join(', ')} of ${cases.length}`
  t.diagnostic(told)
  const [[, ours] = ['', 0], ...others] = scores
  for (const [reader, theirs] of others) {
    assert.ok(ours > theirs || (ours === cases.length && ours === theirs), `${reader}: ${told}`)
  }
}

test(
  'better than two libraries on every set of replies',
  { skip: corpora ? false : 'SPOOL_CORPORA is not set' },
  (t) => {
    const folder = join(corpora!, 'replies')
    const sets = readdirSync(folder, { withFileTypes: true }).filter(
      (set) => set.isDirectory() && set.name !== 'licences',
    )
    for (const { name } of sets) {
      const cases = [...readReplies(join(folder, name))]
      if (cases.length > 0) assertBetter(name, cases, t)
    }
  },
)

test('better than two libraries on chains of mails', (t) => {
  for (const kind of ['plain', 'html']) {
    const chains = [...makeChains(every)].filter(({ name }) => name.includes(`: ${kind} `))
    const cases = chains.flatMap(({ mails }) =>
      mails.map(({ raw, expected }) => ({ raw, expected: expected?.join(' ') ?? parseMail(raw).text })),
    )
    assertBetter(`chains, ${kind}`, cases, t)
  }
})
