import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { startApp, type App } from '../app.ts'
import { openSpool } from '../app/open.ts'
import { readConfig, type Config } from '../config.ts'
import { passOverLog } from '../core/notices/follow-log.ts'
import { proposeDraft } from '../core/drafts/drafts.ts'
import { addInbox } from '../core/inboxes/inboxes.ts'
import { addNote } from '../core/threads/notes.ts'
import { writeAgentRules } from '../core/inboxes/agent-rules.ts'
import { addUser } from '../core/people/people.ts'
import { receiveMail } from '../core/receiving/receive.ts'
import type { Spool } from '../core/spool.ts'
import { assignThread, changeStatus, setRead } from '../core/threads/threads.ts'
import { setMailServer } from '../core/mailboxes/mail-servers.ts'
import { createToken } from '../core/tokens/tokens.ts'
import { parseMail } from '../mail/parse.ts'
import { actorReference, agent, person, scopes, type Actor, type Inbox, type User } from '../model/access.ts'
import { warnOfTypos, withJson, type Environment } from './command.ts'
import { buildDemoMail, type DemoScript, type ScriptThread } from '../demo/build.ts'
import { tryPreparePage } from './page.ts'
import { startSink, type Sink } from '../demo/sink.ts'
import { stopSignal, untilStopped } from './serve.ts'

export function addDemo(program: Command, environment: Environment): void {
  withJson(program.command('demo').description('the server on sample mail in a fresh folder')).action(
    async (options: { json?: boolean }) => {
      const stop = stopSignal()
      warnOfTypos(environment)
      // Beside the sample mail: the page's build is another process.
      const page = tryPreparePage()
      const dataFolder = await mkdtemp(join(tmpdir(), 'spool-demo-'))
      process.stderr.write(`Loading the sample mail into a new store in ${dataFolder}…\n`)
      try {
        const config = readConfig({ SPOOL_LOG_LEVEL: 'warn', ...environment, SPOOL_DATA: dataFolder })
        const port = await choosePort(config, environment)
        if (port !== config.port)
          process.stderr.write(`Port ${config.port} is already in use; the demo uses another.\n`)
        // A team's own settings may be in a file: nothing of the demo may reach its store, its nodes or its people.
        const ownStore = { ...config, databaseUrl: null, redisUrl: null, noticeMail: null, port }
        await using sink = await startSink()
        const access = await fillStore(ownStore, sink, stop)
        await page
        if (stop.aborted) return
        await using app = await startApp(ownStore)
        process.stdout.write(
          options.json
            ? `${JSON.stringify({ url: app.url, ...access, dataFolder })}\n`
            : greeting(app, access, dataFolder),
        )
        await untilStopped(stop)
      } finally {
        await rm(dataFolder, { recursive: true, force: true })
      }
    },
  )
}

/** The demo should start even if another program uses the default port. */
async function choosePort(config: Config, environment: Environment): Promise<number> {
  if (environment['SPOOL_PORT']) return config.port
  const probe = createServer()
  const free = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(config.port, config.host, () => probe.close(() => resolve(true)))
  })
  return free ? config.port : 0
}

interface DemoAccess {
  email: string
  password: string
  token: string
}

/** False in an installed package, which is compiled. */
const inCheckout = import.meta.filename.endsWith('.ts')

function greeting({ url }: App, { email, password, token }: DemoAccess, dataFolder: string): string {
  return `
Spool is running on sample mail at ${url}
It forgets everything when it stops (Ctrl+C); what you send goes nowhere.

  Web inbox      ${url}
  Sign-in        ${email}   password ${password}
  API reference  ${url}/docs
  Agents         ${url}/mcp   (docs/mcp.md)
  Token          ${token}

Try it, in another terminal:

  curl -H "Authorization: Bearer ${token}" "${url}/api/v1/threads?unread=1&limit=3"

${inCheckout ? agentHint(url, token) : ''}Commands work on this store with its folder, such as:

  SPOOL_DATA=${dataFolder} ${inCheckout ? 'npm run -s spool --' : 'spool'} token list

`
}

function agentHint(url: string, token: string): string {
  return `An agent that reads unread threads and proposes answers, under "Drafts to review" in the web inbox:

  SPOOL_URL=${url} SPOOL_TOKEN=${token} npm run -s triage

`
}

/** Runs before the server starts: the server's threads and listeners would double the work. */
async function fillStore(config: Config, sink: Sink, stop: AbortSignal): Promise<DemoAccess> {
  await using spool = await openSpool(config, 'scratch')
  const script = buildDemoMail(Date.now())
  const password = randomBytes(9).toString('base64url')
  const inboxes = new Map<string, Inbox>()
  const people = new Map<string, User>()
  for (const { address, name } of script.inboxes) {
    const inbox = await addInbox(spool, address, name)
    const server = { kind: 'smtp', host: '127.0.0.1', port: sink.port, security: 'none' } as const
    await setMailServer(spool, inbox, { ...server, options: {}, user: null, password: null })
    inboxes.set(address, inbox)
  }
  for (const { email, name, role } of script.people) {
    people.set(email, await addUser(spool, { email, name, role, inboxes: [...inboxes.keys()], password }))
  }
  const { email } = script.people[0]!
  const admin = person(people.get(email)!)
  for (const { address, rules } of script.inboxes)
    await writeAgentRules(spool, admin, { inboxId: inboxes.get(address)!.id, text: rules, version: 0 })
  const triage = await hireAgent(spool, people.get(email)!, [...inboxes.values()])
  await play(spool, script, { inboxes, people, triage }, stop)
  const { token } = await createToken(spool, wish(email, 'Demo'))
  return { email, password, token }
}

/** Nobody holds its token: the agent exists only for its proposals, which people can review. */
async function hireAgent(spool: Spool, user: User, inboxes: Inbox[]): Promise<Actor> {
  return agent({ token: await createToken(spool, wish(user.email, 'Triage')), user, inboxes })
}

function wish(email: string, name: string): Parameters<typeof createToken>[1] {
  return { email, name, scopes, inboxes: [], lifetime: 30 * 86_400_000 }
}

interface Cast {
  inboxes: Map<string, Inbox>
  people: Map<string, User>
  triage: Actor
}

/** Replays the script in order of time, as if the team had used Spool for weeks. */
async function play(spool: Spool, script: DemoScript, cast: Cast, stop: AbortSignal): Promise<void> {
  const scenes = script.threads.flatMap((thread) => scenesOf(spool, thread, cast))
  scenes.sort((a, b) => a.at - b.at)
  const fresh = scenes.find(({ at }) => at > spool.now() - 3_600_000)
  for (const scene of scenes) {
    if (stop.aborted) return
    // Only the last hour causes notices.
    if (scene === fresh) await passOverLog(spool)
    await scene.happen({ ...spool, now: () => scene.at })
  }
}

interface Scene {
  at: number
  happen(spool: Spool): Promise<void>
}

function scenesOf(spool: Spool, thread: ScriptThread, { inboxes, people, triage }: Cast): Scene[] {
  const inbox = inboxes.get(thread.inbox)!
  const end = Math.max(...thread.messages.map(({ at }) => at), ...thread.notes.map(({ at }) => at))
  const now = spool.now()
  let id = ''
  let newest = ''
  const messages = thread.messages.map(({ raw, direction, at, sentBy }): Scene => ({
    at,
    async happen(spool) {
      const mail = await parseMail(Buffer.from(raw))
      const by = sentBy === null ? undefined : people.get(sentBy)
      const [received] = await receiveMail(spool, inbox, [
        {
          mail,
          direction: direction === 'in' ? 'inbound' : 'outbound',
          envelopeDate: at,
          seen: false,
          quiet: false,
          ...(by ? { sentBy: actorReference(person(by)) } : {}),
        },
      ])
      id = received!.threadId
      newest = received!.messageId
    },
  }))
  const notes = thread.notes.map(({ by, text, at }): Scene => ({
    at: Math.max(at, thread.messages[0]!.at + 1),
    happen: async (spool) => void (await addNote(spool, person(people.get(by)!), id, text)),
  }))
  const drafts = thread.drafts.map(({ text, quotes, at }): Scene => ({
    at,
    async happen(spool) {
      const citations = quotes.map((quote) => ({ messageId: newest, quote }))
      await proposeDraft(spool, triage, { threadId: id, text, citations })
    },
  }))
  const assignee = thread.assignTo === null ? null : people.get(thread.assignTo)!
  const last: Scene = {
    at: Math.min(end + 120_000, now),
    async happen(spool) {
      const actor = person(assignee ?? [...people.values()][0]!)
      if (assignee) await assignThread(spool, actor, id, assignee)
      const until = thread.status === 'snoozed' ? thread.snoozedUntil : null
      await changeStatus(spool, actor, id, thread.status, until)
      for (const email of thread.readBy) await setRead(spool, people.get(email)!, id, true)
    },
  }
  return [...messages, ...notes, ...drafts, last]
}
