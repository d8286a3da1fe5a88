import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { receiveMail } from '../../src/core/receiving/receive.ts'
import { openMailbox } from '../../src/mail/mailbox.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { makeChains } from '../mail/chains/chains.ts'
import { browserMissing } from '../support/browser.ts'
import { corpora, isLongRun, needsCorpora } from '../support/corpora.ts'
import { openFoldJudge, type FoldJudge } from '../support/fold-judge.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

const skip = browserMissing

let browser: Browser
let spool: TestSpool
let judge: FoldJudge
before(async () => {
  if (skip) return
  browser = await launchChromium()
  spool = await startSpool('sqlite')
  judge = await openFoldJudge(spool, browser)
})
after(async () => {
  await judge?.[Symbol.asyncDispose]()
  await browser?.close()
  await spool?.[Symbol.asyncDispose]()
})

/** Takes them in and looks at every thread they are in. */
async function judgeAll(raws: readonly Buffer[]): Promise<FoldJudge['seen']> {
  const before = { ...judge.seen }
  const incoming = raws.map((raw) => ({
    mail: parseMail(raw),
    direction: 'inbound' as const,
    envelopeDate: null,
    seen: true,
    quiet: true,
  }))
  const received = await receiveMail(spool.spool, spool.inbox, incoming)
  const untrue: string[] = []
  for (const id of new Set(received.map(({ threadId }) => threadId))) untrue.push(...(await judge.judge(id)))
  assert.deepEqual(untrue, [])
  const { messages, folds, frames } = judge.seen
  return { messages: messages - before.messages, folds: folds - before.folds, frames: frames - before.frames }
}

/** A bold word, because a mail without any formatting is not shown in a frame. */
const inBold = (html: string) =>
  html.replace(/^(?:[^]*?<body[^>]*>)?/i, (head) => `${head}<p><b>Hello.</b></p>`)

/** The cases of a set are one thread: without a header they have no other. */
function* readReplies(): Generator<Buffer> {
  for (const set of readdirSync(corpora('replies')).sort()) {
    for (const [at, file] of listCases(set).entries()) {
      if (!isLongRun && at % 10 !== 4) continue
      const raw = readFileSync(corpora('replies', set, file))
      if (file.endsWith('.eml')) {
        yield raw
        continue
      }
      const isHtml = file.endsWith('.html')
      yield Buffer.from(
        [
          `Message-ID: <${at}.${set}@replies.example>`,
          `References: <${set}@replies.example>`,
          'From: Carla Brandt <carla@brandt.example>',
          `Subject: ${file}`,
          `Content-Type: text/${isHtml ? 'html' : 'plain'}; charset=utf-8`,
          '',
          isHtml ? inBold(raw.toString()) : raw.toString(),
        ].join('\n'),
      )
    }
  }
}

function listCases(set: string): string[] {
  const folder = corpora('replies', set)
  if (set === 'licences' || !existsSync(folder) || set.endsWith('.md')) return []
  return readdirSync(folder).filter((file) => /\.(?:txt|html|eml)$/.test(file))
}

/** A few threads of many chains: opening one costs more than another message. The chains of each are in other languages. */
function* writeChains(): Generator<Buffer> {
  const [every, threads] = isLongRun ? [1, 26] : [11, 6]
  for (const [at, { mails }] of [...makeChains(every)].entries())
    for (const [number, { raw }] of mails.entries()) {
      const reference = number === 0 ? `References: <thread${at % threads}@chains.example>\n` : ''
      const text = raw.toString().replaceAll('@chain.example', `@${at}.chain.example`)
      // A frame costs as much as all else together: by default half of them have one.
      const isFramed = text.includes('<body>') && (isLongRun || at % 4 < 2)
      yield Buffer.from(reference + (isFramed ? inBold(text) : text))
    }
}

async function readList(): Promise<Buffer[]> {
  const raws: Buffer[] = []
  for await (const item of await openMailbox(corpora('git-2005.mbox.gz'))) {
    if ('raw' in item) raws.push(Buffer.from(item.raw))
    if (raws.length === (isLongRun ? 200 : 20)) break
  }
  return raws
}

const needsBoth = { skip: skip || (needsCorpora.skip ?? false) }

test('what the page folds is what newText leaves out: labelled replies', needsBoth, async () => {
  const seen = await judgeAll([...readReplies()])
  assert.ok(seen.messages >= 15 && seen.folds >= seen.messages / 2 && seen.frames > 0, JSON.stringify(seen))
})

test('what the page folds is what newText leaves out: chains of replies and forwards', { skip }, async () => {
  const seen = await judgeAll([...writeChains()])
  assert.ok(seen.messages >= 100 && seen.folds >= seen.messages / 3, JSON.stringify(seen))
  assert.ok(seen.frames >= seen.messages / 5, JSON.stringify(seen))
})

test('what the page folds is what newText leaves out: a mailing list', needsBoth, async () => {
  const seen = await judgeAll(await readList())
  assert.ok(seen.messages >= 20 && seen.folds >= 5, JSON.stringify(seen))
})
