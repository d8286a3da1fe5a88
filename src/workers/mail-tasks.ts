import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  copyAgain,
  lookAgain,
  settleCopied,
  settleRefused,
  settleSent,
  settleUnknown,
} from '../core/sending/delivery.ts'
import { forgetAccess, withToken } from '../core/mailboxes/grants.ts'
import { readDraftFiles } from '../core/drafts/attachments.ts'
import { keepSource, leaseLife, markOver, renewClaim, type Task } from '../core/sending/outbox.ts'
import type { Spool } from '../core/spool.ts'
import { composeMail, wireEnvelope } from '../mail/compose.ts'
import { explainFailure } from '../mail/connection-trouble.ts'
import { referencesTo } from '../mail/compose/references.ts'
import { connectImap } from '../mail/imap/connection.ts'
import { parseMail } from '../mail/parse.ts'
import { appendToSent, hasMessageId } from '../mail/imap/sent-folder.ts'
import { handOver, type Ending, type Handover } from '../mail/smtp/client.ts'
import { handOverByGraph } from '../mail/graph/client.ts'
import type { Letter } from '../model/mail/letter.ts'
import { sendsByGraph, writeMailServerAddress, type MailServer } from '../model/mail/server.ts'

export interface SendMailOptions {
  /** Seconds to wait after each refusal. */
  retries: readonly number[]
  log: Pick<Logger, 'info' | 'warn'>
  onFailure(error: unknown): void
}

type SendTask = Extract<Task, { kind: 'send' }>
type FolderTask = Exclude<Task, { kind: 'send' | 'believe' }>

/** Runs one task claimed by this node. Renews its lease meanwhile; if the lease is lost, sending stops. */
export async function doTask(spool: Spool, task: Task, options: SendMailOptions, end: Ending): Promise<void> {
  const lost = new AbortController()
  const renew = async (): Promise<void> => {
    if (!(await renewClaim(spool, task))) lost.abort()
  }
  const renewal = setInterval(() => void renew().catch(() => undefined), leaseLife / 3)
  try {
    switch (task.kind) {
      case 'send': {
        const stop = AbortSignal.any([end.stop, lost.signal])
        return await sendOne(spool, task, options, { ...end, stop })
      }
      case 'believe':
        return await settleSent(spool, task, parseMail(task.source))
      case 'look':
        return await lookForCopy(spool, task, end.stop)
      case 'copy':
        return await fileCopy(spool, task, options, end.stop)
    }
  } finally {
    clearInterval(renewal)
  }
}

async function sendOne(
  spool: Spool,
  task: SendTask,
  { retries, log }: SendMailOptions,
  end: Ending,
): Promise<void> {
  const refuse = async (answer: string): Promise<void> => {
    const next = await settleRefused(spool, task, { permanent: false, answer }, retries)
    logTrouble(log, task, next ?? 'refused', answer)
  }
  if (!task.server)
    return refuse(
      `${task.letter.from.address} has no SMTP server, or its password cannot be read; set it with spool inbox set … --smtp URL.`,
    )
  const server = await withToken(spool, task.inbox, task.server).catch((error: Error) => error)
  if (server instanceof Error) return refuse(server.message)
  const source = task.source ?? (await compose(spool, task).catch((error: Error) => error))
  if (source instanceof Error) return refuse(`The mail could not be composed: ${source.message}`)
  const parcel = { ...wireEnvelope(task.letter), source }
  const hidden = wireEnvelope({ ...task.letter, to: [], cc: [] }).to
  const handover = explain(
    await (sendsByGraph(server)
      ? handOverByGraph(server, { source, bcc: hidden }, () => markOver(spool, task), end)
      : handOver(server, parcel, () => markOver(spool, task), end)),
    server,
    task.letter.from.address,
  )
  await persist(async () => {
    if (handover.result === 'accepted') {
      await settleSent(spool, task, parseMail(source))
      log.info({ draft: task.draft, inbox: task.inboxId }, 'a mail was handed to the mail server')
    } else if (handover.result === 'unknown') {
      await settleUnknown(spool, task, handover.answer)
      logTrouble(log, task, 'unknown', handover.answer)
    } else {
      // A shutdown is not a refusal: another node continues at once.
      const next = await settleRefused(spool, task, handover, end.stop.aborted ? [0] : retries)
      if (!end.stop.aborted || next === 'failed') logTrouble(log, task, next ?? 'refused', handover.answer)
    }
  })
  // The provider may have ended the token early: the next attempt uses a new one.
  const { token } = server
  if (handover.result === 'refused' && token !== undefined)
    await persist(() => forgetAccess(spool, task.inbox, token))
}

const troubles = {
  refused: 'a mail was refused',
  waiting: 'a mail was refused and will be tried again',
  failed: 'a mail was refused and will not be tried again',
  unknown: 'whether a mail was delivered is unknown',
}

function logTrouble(
  log: SendMailOptions['log'],
  { draft, inboxId, letter }: SendTask,
  result: keyof typeof troubles,
  answer: string,
): void {
  log.warn({ draft, inbox: inboxId, result, reason: withoutPersonal(answer, letter) }, troubles[result])
}

/** Servers quote recipients and sometimes subjects, which are not for the log. */
function withoutPersonal(answer: string, { subject }: Letter): string {
  const known = subject.trim().length < 3 ? answer : answer.replaceAll(subject.trim(), '…')
  return known.replaceAll(/[^\s<>"'(),;:@]+@[^\s<>"'(),;:@]+/g, '…').slice(0, 500)
}

/** Adds what to do if the server's own answer does not say so. */
function explain(handover: Handover, server: MailServer, inbox: string): Handover {
  const { result, answer } = handover
  if (result !== 'refused' || server.user !== null || !/^530\b(?!.*STARTTLS)/is.test(answer)) return handover
  const address = writeMailServerAddress({ ...server, user: inbox })
  return {
    ...handover,
    answer: `The mail server requires a sign-in, and none is set; an admin can set one: spool inbox set ${inbox} --smtp "${address}" --credentials-stdin. It says: ${answer}`,
  }
}

/** Composed once and stored: every attempt sends the same bytes under the same Message-ID. */
async function compose(spool: Spool, task: SendTask): Promise<Uint8Array> {
  const source = await composeMail({
    letter: task.letter,
    messageId: task.messageId,
    date: spool.now(),
    ...referencesTo(task.ancestry),
    contents: await readDraftFiles(spool, task.draft, task.letter.attachments),
  })
  await keepSource(spool, task, source)
  return source
}

/** The server's answer must not be lost because the store is briefly unavailable. */
async function persist(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 30) throw error
      await sleep(1_000)
    }
  }
}

async function lookForCopy(spool: Spool, task: FolderTask, signal: AbortSignal): Promise<void> {
  const hasCopy = async (server: MailServer): Promise<boolean> => {
    await using connection = await connectImap(await withToken(spool, task.inbox, server), { signal })
    return await hasMessageId(connection, task.messageId)
  }
  const found = task.server !== null && (await hasCopy(task.server).catch(() => false))
  if (found) await settleSent(spool, task, parseMail(task.source), { copied: true })
  else await lookAgain(spool, task)
}

/** Checks first: some servers file sent mail themselves, and an interrupted attempt may have filed it already. */
async function fileCopy(
  spool: Spool,
  task: FolderTask,
  { log }: SendMailOptions,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (task.server) {
      const server = await withToken(spool, task.inbox, task.server)
      await using connection = await connectImap(server, { signal })
      if (!(await hasMessageId(connection, task.messageId))) await appendToSent(connection, task.source)
    }
  } catch (error) {
    const reason = explainFailure(task.server!, error)
    log.warn({ draft: task.draft, reason }, 'a sent mail could not be filed')
    return copyAgain(spool, task)
  }
  await settleCopied(spool, task)
}
