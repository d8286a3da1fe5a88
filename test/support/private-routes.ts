import type { Inbox, User } from '../../src/model/access.ts'
import { noticeExamples } from './private-notice-routes.ts'
import { canary, searchExamples } from './private-search-routes.ts'
import type { TestSpool } from './spool.ts'
import { password, type WebClient } from './web-client.ts'

export { canary }

export interface Visitor {
  user: User
  page: WebClient
  session: string
}

/** Test data for a route. Created anew for every permitted visitor, because the route may change it. */
export interface Things {
  spool: TestSpool
  visitor: Visitor
  thread: string
  other: string
  message: string
  attachment: string
  note: string
  draft: string
  revision: number
  file: string
  /** Belongs to the visitor if they may create one, otherwise to an admin. */
  token: string
  webhook: string
  /** A user for admins to change. */
  mate: User
  invitation: string
  made: Inbox
}

export interface Example {
  path(things: Things): string
  body?(things: Things): unknown
  /** Statuses that a permitted visitor may get. Default: 200. */
  statuses?: number[]
  /** For a user of another inbox, the route answers 404 or returns only that user's own data. */
  stranger: 404 | 'own'
}

const here = (path: string) => (): string => path
const atThread =
  (tail = '') =>
  ({ thread }: Things): string =>
    `/threads/${thread}${tail}`
const atDraft =
  (tail = '') =>
  ({ draft }: Things): string =>
    `/drafts/${draft}${tail}`
const atWebhook =
  (tail = '') =>
  ({ webhook }: Things): string =>
    `/webhooks/${webhook}${tail}`
const nothing = (): unknown => ({})

/** Every route must have an example, or the test fails. */
export const examples: Record<string, Example> = {
  getSession: { path: here('/session'), stranger: 'own' },
  listSessions: { path: here('/sessions'), stranger: 'own' },
  endSession: {
    path: ({ spool }) => `/sessions/${spool.ada.id}`,
    statuses: [404],
    stranger: 404,
  },
  signOutEverywhere: { path: here('/sign-out-everywhere'), body: nothing, stranger: 'own' },
  changePassword: {
    path: here('/password'),
    // Keeps the token that tests of the other routes use.
    body: ({ spool }) => ({
      current: password,
      new: password,
      keep: { tokens: [spool.tokenId], webhooks: [] },
    }),
    stranger: 'own',
  },
  listStandingAccess: { path: here('/password/access'), stranger: 'own' },
  invite: {
    path: here('/invitations'),
    body: () => ({ email: 'new@shop.example', name: 'New' }),
    stranger: 'own',
  },
  listThreads: { path: here('/threads'), stranger: 'own' },
  countWork: { path: here('/counts'), stranger: 'own' },
  ...searchExamples,
  getThread: { path: atThread(), stranger: 404 },
  changeThreads: {
    path: here('/threads/bulk'),
    body: ({ thread }) => ({ ids: [thread], action: { type: 'status', status: 'closed' } }),
    // Each thread is refused individually, in the response.
    stranger: 'own',
  },
  undoChange: {
    path: here('/threads/undo'),
    body: () => ({ receipt: 'of.nothing' }),
    // A receipt is valid only for the person it was issued to.
    statuses: [404],
    stranger: 404,
  },
  markRead: { path: atThread('/read'), body: nothing, stranger: 404 },
  markUnread: { path: atThread('/unread'), body: nothing, stranger: 404 },
  assignThread: { path: atThread('/assign'), body: () => ({ to: null }), stranger: 404 },
  changeStatus: {
    path: atThread('/status'),
    body: () => ({ status: 'closed' }),
    stranger: 404,
  },
  joinThreads: {
    path: atThread('/join'),
    body: ({ other }) => ({ other }),
    stranger: 404,
  },
  listNotes: { path: atThread('/notes'), stranger: 404 },
  addNote: { path: atThread('/notes'), body: () => ({ text: 'x' }), stranger: 404 },
  editNote: {
    path: ({ note }) => `/notes/${note}`,
    body: () => ({ text: 'x' }),
    stranger: 404,
  },
  ...noticeExamples,
  listPeople: { path: here('/people'), stranger: 'own' },
  completeAddress: { path: here(`/addresses?q=${canary}`), stranger: 'own' },
  getAttachment: { path: ({ attachment }) => `/attachments/${attachment}`, stranger: 404 },
  previewText: { path: ({ attachment }) => `/attachments/${attachment}/text`, stranger: 404 },
  getCalendarEvent: { path: ({ attachment }) => `/attachments/${attachment}/invitation`, stranger: 404 },
  getSource: { path: ({ message }) => `/messages/${message}/source`, stranger: 404 },
  getRemotePicture: {
    path: ({ message }) => `/messages/${message}/pictures/0`,
    // The message has no pictures.
    statuses: [404],
    stranger: 404,
  },
  followEvents: { path: here('/live'), stranger: 'own' },
  setPresence: {
    path: here('/presence'),
    body: ({ thread }) => ({ threadId: thread }),
    stranger: 404,
  },
  listDrafts: { path: here('/drafts'), stranger: 'own' },
  createDraft: {
    path: here('/drafts'),
    body: ({ thread }) => ({ kind: 'reply', threadId: thread, text: 'x' }),
    stranger: 404,
  },
  getDraft: { path: atDraft(), stranger: 404 },
  reviseDraft: {
    path: atDraft(),
    body: ({ revision }) => ({ revision, text: 'x' }),
    stranger: 404,
  },
  listDraftRevisions: { path: atDraft('/revisions'), stranger: 404 },
  confirmDraft: {
    path: atDraft('/confirm'),
    body: ({ revision, message }) => ({ revision, newestMessageId: message }),
    statuses: [409],
    stranger: 404,
  },
  discardDraft: {
    path: atDraft('/discard'),
    body: ({ revision }) => ({ revision }),
    stranger: 404,
  },
  getLetter: { path: atDraft('/letter'), statuses: [200, 409], stranger: 404 },
  sendDraft: {
    path: atDraft('/send'),
    body: ({ revision }) => ({ revision, seal: '0'.repeat(64) }),
    statuses: [409],
    stranger: 404,
  },
  takeBackDraft: { path: atDraft('/undo'), body: nothing, statuses: [409], stranger: 404 },
  settleDraft: {
    path: atDraft('/settle'),
    body: () => ({ as: 'sent' }),
    statuses: [409],
    stranger: 404,
  },
  attachFile: {
    path: ({ draft, revision }) => `/drafts/${draft}/attachments?revision=${revision}&filename=a.txt`,
    body: () => Buffer.from('x'),
    stranger: 404,
  },
  detachFile: {
    path: ({ draft, file, revision }) => `/drafts/${draft}/attachments/${file}?revision=${revision}`,
    stranger: 404,
  },
  getDraftFile: {
    path: ({ draft, file }) => `/drafts/${draft}/attachments/${file}`,
    stranger: 404,
  },
  getSignature: { path: ({ spool }) => `/inboxes/${spool.inbox.id}/signature`, stranger: 404 },
  changeProfile: { path: here('/profile'), body: () => ({ name: crypto.randomUUID() }), stranger: 'own' },
  listTokens: { path: here('/tokens?all=1'), stranger: 'own' },
  makeToken: {
    path: here('/tokens'),
    body: () => ({ name: 'x', scopes: ['threads:read'], expires: '7d' }),
    stranger: 'own',
  },
  revokeToken: { path: ({ token }) => `/tokens/${token}`, stranger: 404 },
  listTeam: { path: here('/settings/people'), stranger: 'own' },
  changeTeammate: {
    path: ({ mate }) => `/settings/people/${mate.id}`,
    body: () => ({ role: 'viewer' }),
    stranger: 'own',
  },
  removeTeammate: { path: ({ mate }) => `/settings/people/${mate.id}`, stranger: 'own' },
  offerReset: { path: ({ mate }) => `/settings/people/${mate.id}/reset`, body: nothing, stranger: 'own' },
  takeBackInvitation: {
    path: ({ invitation }) => `/settings/invitations/${invitation}`,
    stranger: 'own',
  },
  listInboxSettings: { path: here('/settings/inboxes'), stranger: 'own' },
  getInboxSettings: { path: ({ made }) => `/settings/inboxes/${made.id}`, stranger: 'own' },
  findProvider: {
    path: here('/settings/providers'),
    body: () => ({ address: 'x@shop.example' }),
    stranger: 'own',
  },
  tryServer: {
    path: here('/settings/try'),
    body: () => ({
      kind: 'smtp',
      server: { host: '127.0.0.1', port: 1, security: 'none', username: null },
    }),
    stranger: 'own',
  },
  beginMailboxSignIn: {
    path: here('/settings/mailbox-sign-in'),
    body: () => ({
      provider: 'other',
      address: 'x@shop.example',
      client: { clientId: 'x', issuer: 'https://192.168.1.1' },
      imap: { host: '127.0.0.1', port: 1, security: 'none' },
      smtp: { host: '127.0.0.1', port: 1, security: 'none' },
    }),
    statuses: [400],
    stranger: 'own',
  },
  finishMailboxSignIn: {
    path: here('/settings/mailbox-sign-in/finish'),
    body: () => ({ state: 'x', code: 'x', iss: null, error: null }),
    statuses: [404],
    stranger: 'own',
  },
  createInbox: {
    path: here('/settings/inboxes'),
    body: ({ thread }) => ({ address: `${thread}@shop.example` }),
    stranger: 'own',
  },
  changeInbox: {
    path: ({ made }) => `/settings/inboxes/${made.id}`,
    body: () => ({ name: 'x' }),
    stranger: 'own',
  },
  removeInbox: { path: ({ made }) => `/settings/inboxes/${made.id}`, stranger: 'own' },
  syncInbox: {
    path: ({ made }) => `/settings/inboxes/${made.id}/sync`,
    body: nothing,
    // The inbox has no server to sync with.
    statuses: [409],
    stranger: 'own',
  },
  listAgents: { path: here('/agents'), stranger: 'own' },
  makeAgent: {
    path: here('/agents'),
    body: () => ({ name: 'x', expires: '7d' }),
    stranger: 'own',
  },
  // A ticket is valid only in the session it was issued to.
  getConsent: { path: here('/consents?request=client_id%3Dnobody'), statuses: [404], stranger: 404 },
  giveConsent: {
    path: here('/consents'),
    body: ({ spool }) => ({
      ticket: 'x',
      name: 'x',
      scopes: ['threads:read'],
      inboxes: [spool.inbox.id],
      days: 7,
      replaces: null,
    }),
    statuses: [404],
    stranger: 404,
  },
  listClients: { path: here('/clients'), stranger: 'own' },
  enterClient: {
    path: here('/clients'),
    body: () => ({ name: 'x', redirectUris: ['https://agent.example/back'] }),
    stranger: 'own',
  },
  removeClient: { path: here('/clients/client_of_nobody'), statuses: [404], stranger: 'own' },
  awaitFirstCall: { path: ({ token }) => `/agents/${token}/first-call`, stranger: 404 },
  listWebhookKinds: { path: here('/webhook-kinds'), stranger: 'own' },
  listWebhooks: { path: here('/webhooks'), stranger: 'own' },
  makeWebhook: {
    path: here('/webhooks'),
    body: ({ spool }) => ({ url: `${spool.url}/nobody-listens`, kinds: ['webhook.disabled'] }),
    stranger: 'own',
  },
  getWebhook: { path: atWebhook(), stranger: 404 },
  changeWebhook: { path: atWebhook(), body: () => ({ kinds: ['webhook.disabled'] }), stranger: 404 },
  removeWebhook: { path: atWebhook(), stranger: 404 },
  enableWebhook: { path: atWebhook('/enable'), body: nothing, stranger: 404 },
  disableWebhook: { path: atWebhook('/disable'), body: nothing, stranger: 404 },
  rotateWebhook: { path: atWebhook('/rotate'), body: nothing, stranger: 404 },
  testWebhook: { path: atWebhook('/test'), body: nothing, stranger: 404 },
  listDeliveries: { path: atWebhook('/deliveries'), stranger: 404 },
  retryDelivery: {
    path: atWebhook('/deliveries/1/retry'),
    body: nothing,
    // The delivery predates this webhook.
    statuses: [404],
    stranger: 404,
  },
  replayWebhook: {
    path: atWebhook('/replay'),
    body: () => ({ after: '2020-01-01T00:00:00Z' }),
    stranger: 404,
  },
  getNumbers: { path: here('/numbers'), stranger: 'own' },
  getGuide: { path: here('/guide'), stranger: 'own' },
  setGuideStep: {
    path: here('/guide'),
    body: () => ({ step: 'agent', state: 'skipped' }),
    stranger: 'own',
  },
  getAgentRules: { path: ({ spool }) => `/inboxes/${spool.inbox.id}/agent-rules`, stranger: 404 },
  writeAgentRules: {
    path: ({ spool }) => `/inboxes/${spool.inbox.id}/agent-rules`,
    body: () => ({ text: 'x', version: 0 }),
    stranger: 'own',
  },
  setSignature: {
    path: ({ spool }) => `/inboxes/${spool.inbox.id}/signature`,
    body: () => ({ text: 'x' }),
    stranger: 404,
  },
}

/** Repeats the permissions, so that nobody opens a route by mistake. Routes not listed here are open to everyone. */
export const closedToMembers = [
  'invite',
  'listTeam',
  'changeTeammate',
  'removeTeammate',
  'mailLink',
  'offerReset',
  'takeBackInvitation',
  'listInboxSettings',
  'getInboxSettings',
  'findProvider',
  'tryServer',
  'beginMailboxSignIn',
  'finishMailboxSignIn',
  'createInbox',
  'changeInbox',
  'removeInbox',
  'syncInbox',
  'writeAgentRules',
  'getGuide',
  'setGuideStep',
  'listClients',
  'enterClient',
  'removeClient',
  'chooseNoticeSender',
]
export const closedToViewers = [
  'assignThread',
  'changeStatus',
  'joinThreads',
  'addNote',
  'editNote',
  'createDraft',
  'reviseDraft',
  'confirmDraft',
  'discardDraft',
  'sendDraft',
  'takeBackDraft',
  'settleDraft',
  'attachFile',
  'detachFile',
  'setSignature',
  'listWebhooks',
  'makeWebhook',
  'getWebhook',
  'changeWebhook',
  'removeWebhook',
  'enableWebhook',
  'disableWebhook',
  'rotateWebhook',
  'testWebhook',
  'listDeliveries',
  'retryDelivery',
  'replayWebhook',
  'getNumbers',
]
