import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { daemonAccount, startDaemon, type Daemon } from './daemon.ts'
import { makeCertificate } from './dovecot.ts'
import { requirePart } from './install.ts'
import { scratchFolder } from './scratch.ts'
import { home } from '../home.ts'

export interface WebProxy extends Daemon {
  /** The certificate that clients must trust. */
  certificate: string
}

export interface ProxyPorts {
  /** Port on which Spool listens. */
  spool: number
  https: number
  http: number
}

const example = (name: string): string => readFileSync(join(home, 'deploy', name), 'utf8')

function makeFolder(name: string): string {
  const folder = scratchFolder(name)
  const { uid, gid } = daemonAccount()
  chownSync(folder, uid, gid)
  return folder
}

/** Uses the example file with the name, ports and certificate replaced. */
export async function startNginx(ports: ProxyPorts): Promise<WebProxy> {
  const folder = makeFolder('nginx')
  const account = daemonAccount()
  await makeCertificate(folder)
  const site = example('nginx.conf')
    .replaceAll('spool.example.com;', 'localhost;')
    .replaceAll(/listen (\[::\]:)?443/g, `listen $1${ports.https}`)
    .replaceAll(/listen (\[::\]:)?80/g, `listen $1${ports.http}`)
    .replaceAll('127.0.0.1:4100', `127.0.0.1:${ports.spool}`)
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${folder}/cert.pem;`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${folder}/key.pem;`)
  writeFileSync(join(folder, 'site.conf'), site)
  mkdirSync(join(folder, 'tmp'))
  chownSync(join(folder, 'tmp'), account.uid, account.gid)
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    join(folder, 'main.conf'),
    `daemon off;
pid ${folder}/pid;
error_log stderr;
events {}
http {
  access_log off;
  ${kinds.map((kind) => `${kind}_temp_path ${folder}/tmp/${kind};`).join('\n  ')}
  include ${folder}/site.conf;
}
`,
  )
  const daemon = await startDaemon({
    command: requirePart('nginx'),
    args: ['-c', join(folder, 'main.conf'), '-e', 'stderr'],
    folder,
    account,
    stopSignal: 'SIGTERM',
    quitSignal: 'SIGKILL',
    ready: () => answers(ports.http),
  })
  return { ...daemon, certificate: readFileSync(join(folder, 'cert.pem'), 'utf8') }
}

/** Uses the example file unchanged: its name and upstream come from the environment. */
export async function startCaddy(ports: ProxyPorts): Promise<WebProxy> {
  const folder = makeFolder('caddy')
  const options = `{
	admin off
	skip_install_trust
	http_port ${ports.http}
	https_port ${ports.https}
	storage file_system ${folder}/storage
}
`
  writeFileSync(join(folder, 'Caddyfile'), options + example('Caddyfile'))
  const root = join(folder, 'storage/pki/authorities/local/root.crt')
  const daemon = await startDaemon({
    command: '/usr/bin/env',
    args: [
      'DOMAIN=localhost',
      `UPSTREAM=127.0.0.1:${ports.spool}`,
      requirePart('caddy'),
      'run',
      '--adapter',
      'caddyfile',
      '--config',
      join(folder, 'Caddyfile'),
    ],
    folder,
    account: daemonAccount(),
    stopSignal: 'SIGTERM',
    quitSignal: 'SIGKILL',
    ready: (log) => log.includes('certificate obtained successfully') && answers(ports.http),
  })
  return { ...daemon, certificate: readFileSync(root, 'utf8') }
}

function answers(port: number): Promise<boolean> {
  return fetch(`http://localhost:${port}`, { redirect: 'manual' }).then(
    ({ status }) => status >= 300,
    () => false,
  )
}
