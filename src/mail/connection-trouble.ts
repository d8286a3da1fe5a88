import { quoteServer, SpoolError } from '../model/errors.ts'
import { GrantRefused } from '../model/mail/oauth.ts'
import { hintForHost } from '../model/mail/providers.ts'
import { isLoopback, type MailServerAddress } from '../model/mail/server.ts'
import type { MailProblem } from '../model/settings.ts'

interface Trouble {
  code?: string
  message?: string
  cause?: unknown
  /** imapflow */
  authenticationFailed?: boolean
  response?: unknown
  responseText?: string
  serverResponseCode?: string
  tlsFailed?: boolean
  _err?: unknown
  /** nodemailer */
  responseCode?: number
  command?: string
}

export interface Diagnosis {
  problem: MailProblem
  message: string
  /** Extra hint where the server is given as an address, unlike in the form. */
  inAddress?: string
}

/** The server says that something it needs is not there right now (RFC 5530; 4xx in SMTP). */
export function isUnavailable(error: unknown): boolean {
  const { serverResponseCode, response, responseCode = 500 } = error as Trouble
  // imapflow reads the code of some responses only.
  const code = serverResponseCode ?? (response as Parsed | undefined)?.attributes?.[0]?.section?.[0]?.value
  return ['UNAVAILABLE', 'INUSE'].includes(code ?? '') || responseCode < 500
}

interface Parsed {
  attributes?: { section?: { value?: string }[] }[]
}

export function isRefusedLogin(error: unknown): boolean {
  const { authenticationFailed, code } = error as Trouble
  return (authenticationFailed === true || code === 'EAUTH') && !isUnavailable(error)
}

/** What is wrong with a mail server, in a sentence that says what to do. Never contains a password. */
export function explainFailure(server: MailServerAddress, error: unknown): string {
  return diagnose(server, error).message
}

export function diagnose(server: MailServerAddress & { token?: string }, error: unknown): Diagnosis {
  if (error instanceof GrantRefused) return { problem: 'grant', message: error.message }
  if (error instanceof SpoolError) return { problem: 'other', message: error.message }
  const { kind, host, port } = server
  const place = `${kind.toUpperCase()} server ${host}:${port}`
  const { code = '', message = '' } = innermost(error)
  const found = (problem: MailProblem, message: string): Diagnosis => ({ problem, message })
  if (isRefusedLogin(error)) return found('password', explainRefusal(server, error as Trouble))
  if (code === 'ECONNREFUSED')
    return found(
      'refused',
      `Nothing is listening at ${host}:${port}; check the port (${usualPorts(server)}), and that no firewall is in the way.`,
    )
  if (isWrongTls(code, message)) return explainTls(server, place)
  const network = explainNetwork(host, code, message)
  if (network) return network
  if (isTimeout(code)) return explainSilence(server)
  if (isClosed(code))
    return found(
      'other',
      `The ${place} closed the connection; it may be restarting, or want fewer connections.`,
    )
  const words = wordsOf(error as Trouble)
  return found(
    'other',
    words === ''
      ? `The ${place} could not be used; check host, port and encryption, and try again.`
      : `The ${place} could not be used: ${words}${/[.!?]$/.test(words) ? '' : '.'}`,
  )
}

function explainTls(server: MailServerAddress, place: string): Diagnosis {
  const { kind, security, host } = server
  if (security === 'tls')
    return {
      problem: 'tls',
      message: `The ${place} does not speak TLS at this port; use STARTTLS here, or the TLS port (${usualPorts(server)}).`,
      inAddress: `In an address ${kind}:// is STARTTLS.`,
    }
  const here = isLoopback(host)
  return {
    problem: 'tls',
    message: `The ${place} does not offer STARTTLS, and a password is not sent in the clear; use TLS with its port (${usualPorts(server)})${here ? ', or no encryption, as it is on this machine' : ''}.`,
    inAddress: `In an address ${kind}s:// is TLS${here ? ', and ?tls=none no encryption' : ''}.`,
  }
}

/** The server did not respond within the timeout. */
export function explainSilence(server: MailServerAddress): Diagnosis {
  const { kind, host, port, security } = server
  const other = security === 'tls' ? 'STARTTLS' : 'TLS'
  return {
    problem: 'timeout',
    message: `The ${kind.toUpperCase()} server ${host}:${port} does not answer; check host and port (${usualPorts(server)}), and whether it wants ${other} there.`,
  }
}

/** Trouble on the way to any server, whatever is spoken there; null if it is something else. */
function explainNetwork(host: string, code: string, message: string): Diagnosis | null {
  if (['ENOTFOUND', 'EAI_AGAIN', 'EDNS'].includes(code))
    return {
      problem: 'name',
      message: `The name ${host} cannot be found; check its spelling, and that this machine can look up names.`,
    }
  if (['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'].includes(code))
    return {
      problem: 'refused',
      message: `${host} cannot be reached from this machine; check its network and firewall.`,
    }
  const certificate = explainCertificate(host, code, message)
  if (certificate !== null) return { problem: 'certificate', message: certificate }
  if (/^(EPROTO|ERR_SSL_|ERR_TLS_)/.test(code) || /SSL routines/.test(message))
    return {
      problem: 'tls',
      message: `${host} and Spool cannot agree on how to encrypt; check the port and the encryption, and that the server speaks TLS 1.2 or newer.`,
    }
  return null
}

/** Why no answer came from a server at this address of the web; null if it is nothing of the network. */
export function explainNoAnswer(host: string, error: unknown): string | null {
  const { code = '', message = '' } = innermost(error)
  if (code === 'ECONNREFUSED')
    return `Nothing is listening at ${host}; check its address, and that no firewall is in the way.`
  const { name } = error as Error
  if (name === 'TimeoutError' || isTimeout(code))
    return `${host} does not answer; check its address and this machine's network.`
  if (isClosed(code)) return `${host} closed the connection; try again in a moment.`
  return explainNetwork(host, code, message)?.message ?? null
}

const isTimeout = (code: string): boolean => /TIMEOUT|ETIMEDOUT|ESOCKETTIMEDOUT/.test(code)
const isClosed = (code: string): boolean =>
  /^(EConnectionClosed|NoConnection|ECONNRESET|EPIPE|ClosedAfterConnect\w*|ECONNECTION|UND_ERR_SOCKET)$/.test(
    code,
  )

/** The libraries wrap the network error. */
function innermost(error: unknown): Trouble {
  let trouble = error as Trouble
  for (let depth = 0; depth < 5; depth++) {
    const inner = (trouble._err ?? trouble.cause) as Trouble | undefined
    if (!inner?.message && !inner?.code) break
    trouble = inner
  }
  const { code = (error as Trouble).code, message = '' } = trouble
  const named = /\b(ECONN[A-Z]+|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)UNREACH|ETIMEDOUT)\b/.exec(message)?.[1]
  const better = named ?? code
  return { message, ...(better === undefined ? {} : { code: better }) }
}

function usualPorts({ kind }: MailServerAddress): string {
  return kind === 'imap' ? '993 with TLS, 143 with STARTTLS' : '465 with TLS, 587 with STARTTLS'
}

function isWrongTls(code: string, message: string): boolean {
  return (
    ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ClosedAfterConnectTLS', 'ETLS'].includes(code) ||
    /wrong version number|STARTTLS|packet length too long/i.test(message)
  )
}

function explainCertificate(host: string, code: string, message: string): string | null {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || /does not match certificate/i.test(message))
    return `The certificate of ${host} is for another name; use the name in the certificate.`
  if (code === 'CERT_HAS_EXPIRED' || /certificate has expired/i.test(message))
    return `The certificate of ${host} has expired; whoever runs that server must renew it.`
  if (
    /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code) ||
    /self.signed certificate|unable to verify the first certificate/i.test(message)
  )
    return `The certificate of ${host} is not signed by an authority this machine knows; name the authority's certificate in NODE_EXTRA_CA_CERTS, or give the server a public one.`
  if (/^CERT_|^CRL_|^ERR_TLS_CERT/.test(code) || /certificate/i.test(message))
    return `The certificate of ${host} is not accepted; whoever runs that server must renew it.`
  return null
}

function explainRefusal(
  { host, user, kind, token }: MailServerAddress & { token?: string },
  error: Trouble,
): string {
  const said = wordsOf(error)
  if (token !== undefined)
    return `${host} does not let this sign-in open ${user}${said === '' ? '' : ` (it says: ${said})`}; check that the account may open this mailbox and that ${kind.toUpperCase()} is allowed for it, or sign in again.`
  return [
    `${host} rejected the password for ${user ?? 'no user name'}${said === '' ? '' : ` (it says: ${said})`};`,
    hintForHost(host) ??
      `check user name and password, and whether the provider needs an app password or has to allow ${kind.toUpperCase()} first.`,
  ].join(' ')
}

/** The server's own message, on one line; never that of a library or of the system. */
function wordsOf({ response, responseText }: Trouble): string {
  const words = typeof response === 'string' && response !== '' ? response : (responseText ?? '')
  return quoteServer(words.replace(/^(\S+ )?(NO|BAD) |^\d{3}[ -]|\[[A-Z-]+\] ?/g, ''))
}
