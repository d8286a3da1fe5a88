import { formatUnit } from '../../page/locale.ts'
import { plural } from '../../page/texts.ts'

/** Texts about agents and webhooks. */

export const agents = {
  lead: "An agent can read what you can read, and propose drafts. It can never send. Only people can, and that can't be changed.",
  first: '1. Name it and choose what it can do',
  may: (name: string) => `1. ${name}`,
  second: '2. Add it to your client',
  third: '3. Waiting for its first call…',
  waiting: 'This page updates when the agent makes its first call.',
  name: 'Agent name',
  nameExample: 'Triage',
  nameHint: 'Your team sees it on every draft it proposes.',
  clients: 'Client',
  client: {
    claudeDesktop: 'Claude Desktop',
    claudeCode: 'Claude Code',
    cursor: 'Cursor',
    vscode: 'VS Code',
    curl: 'curl',
  },
  where: {
    claudeDesktop:
      'In claude_desktop_config.json: Settings, Developer, Edit Config. Then restart Claude Desktop.',
    claudeCode: 'Run this in a terminal.',
    cursor: 'In ~/.cursor/mcp.json. It contains your token: keep it out of shared files.',
    vscode:
      'In mcp.json of your profile: run “MCP: Open User Configuration”. It contains your token: keep it out of shared files.',
    curl: 'Run this in a terminal; it reads the unread threads.',
  },
  configuration: (client: string) => `Configuration for ${client}`,
  called: (name: string) => `${name} is connected`,
  calledText: (time: string, tool: string | null) =>
    tool === null ? `It made its first call ${time}.` : `It made its first call ${time}: ${tool}.`,
  another: 'Connect another',
  lately: 'The last 30 days',
  latelyHint: 'What each agent has read and proposed, and what happened to its drafts.',
  none: 'No agent has connected yet.',
  agent: 'Agent',
  read: 'Read',
  drafts: 'Drafts',
  columns: {
    threadsRead: 'Threads',
    messagesRead: 'Messages',
    notesRead: 'Notes',
    proposed: 'Proposed',
    sentUnchanged: 'Sent unchanged',
    sentEdited: 'Sent edited',
    discarded: 'Discarded',
    withdrawn: 'Withdrawn',
    open: 'Open',
  },
  neverCalled: 'no calls yet',
  waitsForFirst: 'waiting for the first call',
  byAddress: 'Connect by address',
  byAddressHint:
    'For claude.ai, ChatGPT and other clients that ask you to sign in. Enter this address there, then allow access on the page that opens. No token needed.',
  address: 'Address for agents',
  disconnect: 'Disconnect',
  disconnectTitle: (name: string) => `Disconnect ${name}?`,
  disconnectText: 'It loses access immediately. The drafts it proposed stay.',
  lastCall: (time: string) => `last call ${time}`,
}

export const agentRules = {
  title: (inbox: string) => `Rules for agents in ${inbox}`,
  hint: 'What agents should know before they propose a reply: tone, what never to promise, who decides what. Agents are told to follow these rules.',
  label: 'Rules',
  none: 'No rules.',
  versions: (count: number) => plural(count, 'version', 'versions'),
}

export const webhooks = {
  lead: 'Spool notifies your programs of events as they happen, in signed requests that contain IDs but no content.',
  make: 'Create a webhook',
  makeIt: 'Create webhook',
  url: 'Endpoint URL',
  urlExample: 'https://hooks.example.com/spool',
  urlHint: 'A public https address. To allow a private network, set SPOOL_WEBHOOK_ALLOW.',
  kinds: 'Which events?',
  needsKind: 'Choose at least one event type, or everything.',
  kindsLegend: 'Events',
  kindChoice: { all: 'Everything, including future event types', some: 'Some event types' },
  kindCount: (count: number) => plural(count, 'event type', 'event types'),
  goTest: 'Test it',
  yours: 'Webhooks',
  none: 'No webhooks yet.',
  open: 'Open',
  secret: 'Secret',
  secretText: 'Your receiver needs this secret to verify that a delivery is from Spool.',
  secretOnce: 'It is shown only once. Set it as SPOOL_WEBHOOK_SECRET for your receiver.',
  verify: 'Verify a delivery',
  verifyHint: 'Any Standard Webhooks library does this. Use the raw body, before it is parsed.',
  snippet: 'Code that verifies a delivery',
  rotate: 'Rotate secret',
  rotateHint:
    'After you rotate the secret, deliveries are signed with both the old and the new one for a day, so nothing is lost while you switch.',
  state: 'Status',
  states: { enabled: 'Enabled', disabled: 'Disabled', failing: 'Failing' },
  disabledWhy: (reason: string, time: string) =>
    `Disabled ${time}${reason === '' ? '' : `: ${reason}`}. Enable it, then replay missed events.`,
  failingSince: (time: string) => `Every delivery has failed since ${time}. After five days it is disabled.`,
  waitingCount: (count: number) => `${plural(count, 'delivery', 'deliveries')} waiting for a retry`,
  behind: (count: number) => `${plural(count, 'event', 'events')} behind`,
  replaying: 'replaying',
  test: 'Send a test',
  tested: 'Test sent.',
  disable: 'Disable',
  enable: 'Enable',
  enabledNow: 'Enabled.',
  deliveries: 'Deliveries',
  show: 'Show',
  statuses: { all: 'All', delivered: 'Delivered', waiting: 'Waiting', failed: 'Failed' },
  noDeliveries: 'No deliveries to show.',
  notYet: 'not tried yet',
  attempts: (count: number) => plural(count, 'attempt', 'attempts'),
  again: (time: string) => `next retry ${time}`,
  answered: (status: string, code: number) => `${status} · ${code}`,
  took: (milliseconds: number) => formatUnit(milliseconds, 'millisecond'),
  retry: 'Retry',
  retried: 'Retrying now.',
  earlier: 'Show earlier deliveries',
  replay: 'Replay',
  replayHint: 'Sends all events from a period again, in order. Receivers recognise duplicates by webhook-id.',
  replayDisabled: 'Enable this webhook first, then replay what it missed.',
  from: 'From',
  until: 'Until',
  untilHint: 'Leave empty to replay up to now.',
  replayed: (count: number | null) =>
    count === 0
      ? 'No events in that period.'
      : count === null
        ? 'Replaying all events from that period.'
        : `Replaying ${plural(count, 'event', 'events')}.`,
  end: 'Remove this webhook',
  endHint: 'Deliveries stop, and their log is deleted.',
  removeTitle: 'Remove this webhook?',
}

export const consent = {
  title: 'Give this agent access?',
  callsItself: (name: string) => `It calls itself “${name}”. This has not been verified.`,
  entered: (name: string) => `An admin added it as “${name}”.`,
  goesTo: (host: string) => `Afterwards your browser goes to ${host}.`,
  goesToProgram: (address: string) =>
    `Afterwards your browser goes to a program on your computer (${address}). Continue only if you just started this there.`,
  problem: (sentence: string) => `This agent's request is not valid: ${sentence}`,
  back: (host: string) => `Back to ${host}`,
  signedIn: (name: string) => `You are signed in as ${name}. The agent will see no more than you do.`,
  which: 'Already connected',
  replaces: (name: string, time: string | null) =>
    time === null ? `Replace ${name}` : `Replace ${name}, last used ${time}`,
  another: 'Add as a new agent',
  asked: 'Requested by the agent.',
  allow: 'Allow',
  refuse: 'Deny',
  done: 'Done. If nothing happens, go back to your agent.',
}

export const clients = {
  title: 'Clients added manually',
  hint: 'Only for agents that need a client ID from you. Most register themselves.',
  id: (name: string) => `Client ID of ${name}`,
  name: 'Client name',
  addresses: 'Redirect addresses',
  addressesHint: "From the client's documentation, separated by spaces.",
  enter: 'Add client',
  removeText: 'Every agent connected through it is disconnected immediately.',
}
