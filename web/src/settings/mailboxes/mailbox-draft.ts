import { signal, type Signal } from '@preact/signals'
import type { SignInProvider, SignInWay } from '../../../../src/model/mail/oauth.ts'
import type { MailServerKind, Security } from '../../../../src/model/mail/server.ts'
import type {
  FoundFolder,
  InboxSettings,
  MailProblem,
  ProviderView,
  ServerSettings,
  ServerTrial,
} from '../../../../src/model/settings.ts'
import { ask } from '../../page/api.ts'

type ServerDraft = ReturnType<typeof draftOf>

export type ServerField = 'host' | 'port' | 'security' | 'password'

const fieldOf: Record<MailProblem, ServerField> = {
  name: 'host',
  refused: 'port',
  timeout: 'port',
  tls: 'security',
  certificate: 'host',
  password: 'password',
  grant: 'password',
  other: 'host',
}

/** The state of the mailbox form: what was typed, the provider's settings, the result of the connection test. */
export class MailboxDraft {
  readonly inbox: InboxSettings | null
  readonly address: Signal<string>
  readonly name: Signal<string>
  readonly password = signal('')
  /** Null: same as IMAP. */
  readonly smtpPassword = signal<string | null>(null)
  /** Whether Spool fetches the mail (IMAP), or it is forwarded to Spool. */
  readonly fetches: Signal<boolean>
  readonly imap: ServerDraft
  readonly smtp: ServerDraft
  readonly provider = signal<ProviderView | null>(null)
  /** Whether the server fields are shown. */
  readonly open: Signal<boolean>
  /** The mailbox's folders, after a successful sign-in. */
  readonly folders = signal<FoundFolder[] | null>(null)
  /** Threads of the first sync start open if they are at most this many days old; `all`: every thread. */
  readonly openDays = signal<'0' | '14' | 'all'>('14')
  /** Whether the mailbox is opened by signing in at its provider instead of with a password. */
  readonly signsIn = signal(false)
  readonly signIn = {
    way: signal<SignInWay>('delegated'),
    issuer: signal(''),
    clientId: signal(''),
    clientSecret: signal(''),
    tenant: signal(''),
    shared: signal(false),
    graph: signal(false),
    changesClient: signal(false),
  }
  /** The lookup of the provider: running, done or failed. */
  #lookup: { address: string; found: Promise<void>; failed: boolean } | null = null

  constructor(inbox: InboxSettings | null) {
    this.inbox = inbox
    this.address = signal(inbox?.address ?? '')
    this.name = signal(inbox?.name ?? '')
    this.fetches = signal(inbox === null || inbox.imap !== null || inbox.smtp === null)
    this.imap = draftOf(inbox?.imap ?? null, 993)
    this.smtp = draftOf(inbox?.smtp ?? null, 465)
    this.open = signal(inbox !== null && (inbox.imap !== null || inbox.smtp !== null))
    if (this.open.value)
      this.#lookup = { address: this.address.value, found: Promise.resolve(), failed: false }
  }

  /** Sent only when a mailbox is fetched for the first time. */
  #firstDay(): { openDays?: number | null } {
    if (this.inbox?.imap) return {}
    return { openDays: this.openDays.value === 'all' ? null : Number(this.openDays.value) }
  }

  get signInProvider(): SignInProvider {
    return this.provider.value?.signIn.provider ?? 'other'
  }

  /** Returns the inbox if no person has to consent; otherwise sends the browser to the provider. */
  async startSignIn(): Promise<InboxSettings | null> {
    const { way, issuer, clientId, clientSecret, tenant, shared, graph } = this.signIn
    const filled = (name: string, { value }: Signal<string>): Record<string, string> =>
      value.trim() === '' ? {} : { [name]: value.trim() }
    const provider = this.signInProvider
    const name = this.name.value.trim()
    const { url, inbox } = await ask('POST', '/settings/mailbox-sign-in', {
      provider,
      way: way.value,
      address: this.address.value.trim(),
      shared: shared.value,
      graph: graph.value,
      ...this.#firstDay(),
      inboxId: this.inbox?.id ?? null,
      ...(name === '' || this.inbox ? {} : { name }),
      ...(clientId.value.trim() === ''
        ? {}
        : {
            client: {
              clientId: clientId.value.trim(),
              ...filled('clientSecret', clientSecret),
              ...filled('tenant', tenant),
              ...filled('issuer', issuer),
            },
          }),
      ...(provider === 'other' ? { imap: placeOf(this.imap), smtp: placeOf(this.smtp) } : {}),
    })
    if (url !== null) location.assign(url)
    return inbox
  }

  /** A forwarded inbox may have no outgoing server. */
  get sends(): boolean {
    return this.fetches.value || this.smtp.host.value.trim() !== ''
  }

  /** Fills in the provider's servers, once per address; resolves when that is done. */
  async findProvider(): Promise<void> {
    const address = this.address.value.trim()
    if (!/^\S+@\S+$/.test(address)) return
    const isSame = address === this.#lookup?.address
    // After a failure the servers may have been typed by hand.
    const isAgain = isSame && this.#lookup!.failed && this.imap.host.value + this.smtp.host.value === ''
    if (!isSame || isAgain) {
      // Clear everything for the previous address: its password must not go to another provider's server.
      empty(this.imap)
      empty(this.smtp)
      const lookup = { address, found: this.#lookUp(address), failed: false }
      lookup.found.catch(() => (lookup.failed = true))
      this.#lookup = lookup
    }
    if (this.#lookup!.failed) return
    try {
      await this.#lookup!.found
    } catch (error) {
      if (!isSame || isAgain) throw error
      // One that was begun when the field was left: now it is needed.
      await this.findProvider()
    }
  }

  async #lookUp(address: string): Promise<void> {
    const { provider } = await ask('POST', '/settings/providers', { address })
    // Another address has been looked up since.
    if (this.#lookup?.address !== address) return
    this.provider.value = provider
    empty(this.imap)
    empty(this.smtp)
    this.open.value = provider.guessed || !provider.takesPasswords
    this.fetches.value = provider.takesPasswords
    this.signsIn.value = provider.signIn.provider === 'microsoft'
    this.signIn.issuer.value = provider.signIn.client?.issuer ?? ''
    if (!provider.takesPasswords) return
    fill(this.imap, provider.imap)
    fill(this.smtp, provider.smtp)
  }

  /** Signs in to both servers; returns whether both succeeded. */
  async try(): Promise<boolean> {
    this.folders.value = null
    const nothing: ServerTrial = { ok: true }
    const [imap, smtp] = await Promise.all([
      this.fetches.value ? this.#tryOne('imap') : nothing,
      this.sends ? this.#tryOne('smtp') : nothing,
    ])
    const good = imap.ok && smtp.ok
    if (good && this.fetches.value) this.folders.value = imap.folders ?? []
    // A wrong password is shown at its field; other errors at the server fields, which must then be visible.
    this.open.value ||= [this.imap, this.smtp].some(
      ({ problem }) => problem.value !== null && problem.value.field !== 'password',
    )
    return good
  }

  async #tryOne(kind: MailServerKind): Promise<ServerTrial> {
    const draft = this[kind]
    draft.problem.value = null
    draft.state.value = 'trying'
    try {
      const answer = await ask('POST', '/settings/try', {
        kind,
        server: serverOf(draft),
        ...this.#passwordOf(kind),
        inboxId: this.inbox?.id,
      })
      draft.state.value = answer.ok ? 'good' : 'untried'
      if (!answer.ok) draft.problem.value = { field: fieldOf[answer.problem], message: answer.message }
      return answer
    } catch (error) {
      draft.state.value = 'untried'
      throw error
    }
  }

  /** Without one, the stored one is used. */
  #passwordOf(kind: MailServerKind): { password?: string } {
    const password = kind === 'smtp' ? (this.smtpPassword.value ?? this.password.value) : this.password.value
    return password === '' ? {} : { password }
  }

  async save(): Promise<InboxSettings> {
    const withPassword = (kind: MailServerKind): ServerSettings & { password?: string } => ({
      ...serverOf(this[kind]),
      ...this.#passwordOf(kind),
    })
    const chosen = (this.folders.value ?? []).filter((folder) => folder.chosen).map(({ path }) => path)
    const body = {
      ...(this.fetches.value
        ? { imap: withPassword('imap'), folders: chosen, ...this.#firstDay() }
        : this.inbox?.imap
          ? { imap: null }
          : {}),
      ...(this.sends ? { smtp: withPassword('smtp') } : this.inbox?.smtp ? { smtp: null } : {}),
    }
    if (this.inbox) return ask('PATCH', `/settings/inboxes/${this.inbox.id}`, body)
    const address = this.address.value.trim()
    const name = this.name.value.trim() || nameFor(address)
    return ask('POST', '/settings/inboxes', { address, name, ...body })
  }
}

/** “Support” for support@example.com. */
export function nameFor(address: string): string {
  const local = address.split('@')[0]!.replace(/[._-]+/g, ' ')
  return local.charAt(0).toUpperCase() + local.slice(1)
}

function empty(draft: ServerDraft): void {
  draft.host.value = ''
  draft.username.value = ''
  draft.problem.value = null
  draft.state.value = 'untried'
}

function draftOf(server: ServerSettings | null, port: number) {
  return {
    host: signal(server?.host ?? ''),
    port: signal(String(server?.port ?? port)),
    security: signal<Security>(server?.security ?? 'tls'),
    username: signal(server?.username ?? ''),
    problem: signal<{ field: ServerField; message: string } | null>(null),
    state: signal<'untried' | 'trying' | 'good'>('untried'),
  }
}

function fill(draft: ServerDraft, { host, port, security, username }: ServerSettings): void {
  draft.host.value = host
  draft.port.value = String(port)
  draft.security.value = security
  draft.username.value = username ?? ''
}

function placeOf(draft: ServerDraft): Pick<ServerSettings, 'host' | 'port' | 'security'> {
  const { host, port, security } = serverOf(draft)
  return { host, port, security }
}

function serverOf({ host, port, security, username }: ServerDraft): ServerSettings {
  return {
    host: host.value.trim(),
    port: Number(port.value),
    security: security.value,
    username: username.value.trim() || null,
  }
}
