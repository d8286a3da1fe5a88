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
  /** Plain, and STARTTLS where there is a certificate. */
  port: number
  /** TLS from the first byte; null where there is no certificate. */
  tlsPort: number | null
  /** PEM, self-signed for `localhost` and `127.0.0.1`: to be trusted by the client. */
  certificate: string | null
}

export interface DovecotOptions {
  /** Passwords by user name. */
  users: Record<string, string>
  tls?: boolean
  /** Where access tokens are asked about; then it also takes XOAUTH2 and OAUTHBEARER. */
  introspectionUrl?: string | null
}

/** An IMAP server with Maildirs and the usual special folders (Sent, Drafts, Trash, Junk, Archive). */
export async function startDovecot({
  users,
  tls = false,
  introspectionUrl = null,
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
  return onFreePort((port) =>
    onFreePort(async (tlsPort) => {
      const file = join(folder, 'dovecot.conf')
      writeFileSync(
        file,
        configuration(folder, account, port, tls ? tlsPort : null, introspectionUrl !== null),
      )
      const daemon = await startDaemon({
        command,
        args: ['-F', '-c', file],
        folder,
        account,
        stopSignal: 'SIGTERM',
        quitSignal: 'SIGKILL',
        ready: () => greets(port),
      })
      const certificate = tls ? readFileSync(join(folder, 'cert.pem'), 'utf8') : null
      return { ...daemon, host: '127.0.0.1', port, tlsPort: tls ? tlsPort : null, certificate }
    }),
  )
}

/** In base64, so that a password may hold the colons that part the fields. */
function passwordFile(users: Record<string, string>): string {
  return Object.entries(users)
    .map(([user, password]) => `${user}:{PLAIN.b64}${Buffer.from(password).toString('base64')}\n`)
    .join('')
}

/** Everything runs as one user without privileges, so nothing changes its root folder or its user. */
function configuration(
  folder: string,
  account: Account,
  port: number,
  tlsPort: number | null,
  takesTokens: boolean,
): string {
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
${takesTokens ? tokens(folder) : ''}
passdb {
  driver = passwd-file
  args = username_format=%u ${folder}/users
}
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

function tokens(folder: string): string {
  return `auth_mechanisms = plain login xoauth2 oauthbearer
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/oauth2.conf.ext
}`
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
  // Dovecot's other user must read the key, and the folder is short-lived.
  const { uid, gid } = daemonAccount()
  chownSync(join(folder, 'key.pem'), uid, gid)
}

/** The port is open before the first login process answers. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer = (greeted: boolean) => {
      socket.destroy()
      resolve(greeted)
    }
    socket.setTimeout(2_000, () => answer(false))
    socket.once('error', () => answer(false))
    socket.once('close', () => answer(false))
    socket.once('data', (data) => answer(String(data).startsWith('* OK')))
  })
}
