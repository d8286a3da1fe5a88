import { execFile } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { daemonAccount, onFreePort, startDaemon, type Account, type Daemon } from './daemon.ts'
import { requirePart } from './install.ts'
import { scratchFolder } from './scratch.ts'

export interface Dovecot extends Daemon {
  host: '127.0.0.1'
  /** Plain, with STARTTLS if there is a certificate. */
  port: number
  /** Implicit TLS; null without a certificate. */
  tlsPort: number | null
  /** Plain SMTP; null if submission is off. */
  submissionPort: number | null
  /** PEM, self-signed for `localhost` and `127.0.0.1`. Clients must trust it. */
  certificate: string | null
}

export interface DovecotOptions {
  /** Passwords by user name. */
  users: Record<string, string>
  tls?: boolean
  /** Where access tokens are introspected. Enables XOAUTH2 and OAUTHBEARER. */
  introspectionUrl?: string | null
  /** The SASL mechanisms offered for tokens. */
  tokenMechanisms?: readonly ('xoauth2' | 'oauthbearer')[]
  /** Port of an SMTP server on this machine that receives submitted mail. */
  relayPort?: number | null
}

/** An IMAP server with Maildirs and the usual special folders (Sent, Drafts, Trash, Junk, Archive). */
export async function startDovecot({
  users,
  tls = false,
  introspectionUrl = null,
  tokenMechanisms = ['xoauth2', 'oauthbearer'],
  relayPort = null,
}: DovecotOptions): Promise<Dovecot> {
  const command = requirePart('dovecot')
  const account = daemonAccount()
  const folder = scratchFolder('dovecot')
  for (const name of ['.', 'run', 'state', 'mail']) {
    const place = join(folder, name)
    if (name !== '.') mkdirSync(place)
    chownSync(place, account.uid, account.gid)
  }
  writeFileSync(join(folder, 'users'), passwordFile(users))
  if (introspectionUrl !== null) writeFileSync(join(folder, 'oauth2.conf.ext'), tokenCheck(introspectionUrl))
  if (tls) await makeCertificate(folder)
  return onFreePorts(async (port, tlsPort, submissionPort) => {
    const file = join(folder, 'dovecot.conf')
    const parts = [
      configuration(folder, account, port, tls ? tlsPort : null),
      introspectionUrl === null ? '' : tokens(folder, tokenMechanisms),
      passwords(folder),
      relayPort === null ? '' : submission(submissionPort, relayPort),
    ]
    writeFileSync(file, parts.join('\n'))
    const daemon = await startDaemon({
      command,
      args: ['-F', '-c', file],
      folder,
      account,
      stopSignal: 'SIGTERM',
      quitSignal: 'SIGKILL',
      ready: async () =>
        (await greets(port, '* OK')) && (relayPort === null || (await greets(submissionPort, '220 '))),
    })
    return {
      ...daemon,
      host: '127.0.0.1',
      port,
      tlsPort: tls ? tlsPort : null,
      submissionPort: relayPort === null ? null : submissionPort,
      certificate: tls ? readFileSync(join(folder, 'cert.pem'), 'utf8') : null,
    }
  })
}

function onFreePorts<Result>(
  work: (port: number, tlsPort: number, submissionPort: number) => Promise<Result>,
): Promise<Result> {
  return onFreePort((one) => onFreePort((two) => onFreePort((three) => work(one, two, three))))
}

/** Passwords are base64, so that they may contain the colons that separate the fields. */
function passwordFile(users: Record<string, string>): string {
  return Object.entries(users)
    .map(([user, password]) => `${user}:{PLAIN.b64}${Buffer.from(password).toString('base64')}\n`)
    .join('')
}

/** Everything runs as one unprivileged user, so nothing uses chroot or changes its user. */
function configuration(folder: string, account: Account, port: number, tlsPort: number | null): string {
  const mailbox = (name: string) => `mailbox ${name} {\n auto = subscribe\n special_use = \\${name}\n }`
  const ssl =
    tlsPort === null ? 'ssl = no' : `ssl = yes\nssl_cert = <${folder}/cert.pem\nssl_key = <${folder}/key.pem`
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = /dev/stderr
protocols = imap
listen = 127.0.0.1
${ssl}
disable_plaintext_auth = no
auth_failure_delay = 0
default_internal_user = ${account.name}
default_internal_group = ${account.group}
default_login_user = ${account.name}
first_valid_uid = ${account.uid}
mail_location = maildir:~/Maildir
userdb {
  driver = static
  args = uid=${account.uid} gid=${account.gid} home=${folder}/mail/%u
}
namespace inbox {
  inbox = yes
  separator = /
  ${['Sent', 'Drafts', 'Trash', 'Junk', 'Archive'].map(mailbox).join('\n  ')}
}
service anvil {
  chroot =
  # Wrong passwords cost no waiting.
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tlsPort ?? 0}
    ssl = yes
  }
}
protocol imap {
  mail_max_userip_connections = 200
}
`
}

function tokens(folder: string, mechanisms: readonly string[]): string {
  return `auth_mechanisms = plain login ${mechanisms.join(' ')}
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/oauth2.conf.ext
}`
}

function passwords(folder: string): string {
  return `passdb {
  driver = passwd-file
  args = username_format=%u ${folder}/users
}
`
}

/** Submitted mail is relayed to a server that requires no authentication. */
function submission(port: number, relayPort: number): string {
  return `protocols = imap submission
hostname = localhost
submission_relay_host = 127.0.0.1
submission_relay_port = ${relayPort}
service submission-login {
  chroot =
  inet_listener submission {
    port = ${port}
  }
  inet_listener submissions {
    port = 0
  }
}
`
}

function tokenCheck(url: string): string {
  return `introspection_mode = post
introspection_url = ${url}
username_attribute = mailbox
active_attribute = active
active_value = true
`
}

/** `cert.pem` and `key.pem`, self-signed for this machine. */
export async function makeCertificate(folder: string): Promise<void> {
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1'
  const paths = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-addext',
    names,
  ]
  await promisify(execFile)('openssl', [...args, ...paths])
  // Dovecot's user must be able to read the key. The folder is short-lived.
  const { uid, gid } = daemonAccount()
  chownSync(join(folder, 'key.pem'), uid, gid)
}

/** Checks the greeting: the port is open before the first login process answers. */
function greets(port: number, words: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer = (greeted: boolean) => {
      socket.destroy()
      resolve(greeted)
    }
    socket.setTimeout(2_000, () => answer(false))
    socket.once('error', () => answer(false))
    socket.once('close', () => answer(false))
    socket.once('data', (data) => answer(String(data).startsWith(words)))
  })
}
