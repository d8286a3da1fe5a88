import { execFile } from 'node:child_process'
import { existsSync, globSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

export const partNames = ['postgres', 'redis', 'dovecot', 'chromium', 'strace', 'faketime'] as const
/** Only for the long run, which tests every supported way to install Spool. */
export const installerNames = ['buildah', 'mmdebstrap', 'nginx', 'caddy', 'systemd-analyze'] as const
export type PartName = (typeof partNames)[number] | (typeof installerNames)[number]

/** What finding and installing parts depends on. Tests replace it with an empty machine. */
export interface Machine {
  find(part: PartName): string | null
  root: boolean
  /** In CI, nothing may be missing. */
  ci: boolean
  apt(args: string[]): Promise<void>
  say(line: string): void
}

const packages: Record<PartName, string[]> = {
  postgres: ['postgresql'],
  redis: ['redis-server'],
  dovecot: ['dovecot-core', 'dovecot-imapd', 'dovecot-submissiond', 'openssl'],
  // The headless shell does the same in two thirds of the time.
  chromium: ['chromium-headless-shell'],
  strace: ['strace'],
  faketime: ['libfaketime'],
  buildah: ['buildah'],
  mmdebstrap: ['mmdebstrap'],
  nginx: ['nginx-light'],
  caddy: ['caddy'],
  'systemd-analyze': ['systemd'],
}

export const thisMachine: Machine = {
  find: findPart,
  root: process.getuid?.() === 0,
  ci: !['', 'false', '0'].includes(process.env['CI'] ?? ''),
  apt: runApt,
  say: (line) => console.log(line),
}

/** Finds each part, installs missing ones if possible, and returns those that are present. */
export async function ensureParts(
  machine = thisMachine,
  names: readonly PartName[] = partNames,
): Promise<PartName[]> {
  const present: PartName[] = []
  let updated = false
  for (const part of names) {
    let problem: string | null = null
    let path = machine.find(part)
    let news = ''
    if (path === null) {
      problem = await installPart(part, machine, !updated)
      updated = true
      path = machine.find(part)
      news = ' (installed now)'
    }
    if (path !== null) present.push(part)
    machine.say(path === null ? `${part}: missing, ${problem}` : `${part}: ${path}${news}`)
  }
  if (machine.ci && present.length < names.length)
    throw new Error(
      `In CI no test may be skipped, and of the parts only these are there: ${present.join(', ')}.`,
    )
  return present
}

/** Installs a part. Returns the reason to report if the part is still missing afterwards. */
async function installPart(part: PartName, machine: Machine, update: boolean): Promise<string> {
  if (!machine.root) return `and only root may run apt-get install ${packages[part].join(' ')}`
  try {
    if (update) await machine.apt(['update'])
    await machine.apt(['install', '-y', '--no-install-recommends', ...packages[part]])
    return `though apt-get installed ${packages[part].join(' ')}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The value for `{ skip }`. Always false in CI, so that the test runs and fails. The fast run uses no parts. */
export function skipWithout(part: PartName, machine = thisMachine): string | false {
  const listed = process.env['SPOOL_TEST_PARTS']
  if (listed === '') return `${part} is not part of the fast run`
  if (machine.ci) return false
  const present = listed === undefined ? machine.find(part) !== null : listed.split(',').includes(part)
  return present ? false : `${part} is not installed`
}

export function requirePart(part: PartName, machine = thisMachine): string {
  const path = machine.find(part)
  if (path === null) throw new Error(`${part} is not installed: apt-get install ${packages[part].join(' ')}`)
  return path
}

export function findPart(part: PartName): string | null {
  switch (part) {
    case 'postgres':
      return newestPostgres('/usr/lib/postgresql') ?? findProgram('postgres')
    case 'redis':
      return findProgram('redis-server')
    case 'dovecot':
      // The core package alone supports neither IMAP nor SMTP.
      return ['imap', 'submission'].every((name) => existsSync(`/usr/lib/dovecot/${name}`))
        ? findProgram('dovecot')
        : null
    case 'chromium':
      return findProgram('chromium-headless-shell') ?? (thisMachine.root ? null : findProgram(part))
    case 'faketime':
      // A preloaded library, not a program.
      return globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0] ?? null
    default:
      return findProgram(part)
  }
}

function newestPostgres(home: string): string | null {
  if (!existsSync(home)) return null
  const versions = readdirSync(home).sort((a, b) => Number(b) - Number(a))
  return (
    versions.map((version) => join(home, version, 'bin/postgres')).find((path) => existsSync(path)) ?? null
  )
}

function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/sbin', '/usr/local/bin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}

/** Debian starts a service when its package is installed, unless this script forbids it. */
const servicePolicy = '/usr/sbin/policy-rc.d'

async function runApt(args: string[]): Promise<void> {
  const ownPolicy = !existsSync(servicePolicy)
  if (ownPolicy) writeFileSync(servicePolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    await promisify(execFile)('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
      maxBuffer: 64 * 1024 * 1024,
    })
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    throw new Error(`apt-get ${args[0]} failed: ${said.split('\n').slice(-3).join(' ')}`, { cause: error })
  } finally {
    if (ownPolicy) rmSync(servicePolicy, { force: true })
  }
}
