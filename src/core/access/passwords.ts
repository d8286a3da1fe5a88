import { randomBytes, timingSafeEqual } from 'node:crypto'
import { SpoolError } from '../../model/errors.ts'
import { PasswordGate, type Standing } from './password-gate.ts'
import { PasswordThreads } from './password-threads.ts'

/** One for the process: it is the machine that they protect. */
const gate = new PasswordGate()
const threads = new PasswordThreads()

/** OWASP's recommendation: 19 MiB, 2 passes. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const longestPassword = 1000

/**
 * argon2id in the standard string format, which includes its parameters. Who chooses a password is signed in, has a
 * link that was checked, or uses the command line.
 */
export async function hashPassword(password: string): Promise<string> {
  if (password.length < 10) throw new SpoolError('bad_parameter', 'A password needs at least 10 characters.')
  if (password.length > longestPassword)
    throw new SpoolError('bad_parameter', `A password can have at most ${longestPassword} characters.`)
  const nonce = randomBytes(16)
  return write(nonce, await derive(password, 'known', nonce, cost, 32))
}

function write(nonce: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(tag)}`
}

const written = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Takes as long for an unknown account, so that timing does not reveal who has one. */
export async function checkPassword(
  password: string,
  known: string | null,
  standing: Standing,
): Promise<boolean> {
  const match = written.exec(known ?? nobody)!
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number]
  const [nonce, tag] = match.slice(4).map((part) => Buffer.from(part, 'base64')) as [Buffer, Buffer]
  if (password.length > longestPassword) return false
  const derived = await derive(password, standing, nonce, { memory, passes, parallelism }, tag.length)
  return timingSafeEqual(derived, tag) && known !== null
}

const nobody = write(Buffer.alloc(16), Buffer.alloc(32))

async function derive(
  password: string,
  standing: Standing,
  nonce: Buffer,
  work: typeof cost,
  tagLength: number,
): Promise<Buffer> {
  const parameters = { message: password.normalize('NFKC'), nonce, tagLength, ...work }
  return gate.run(standing, () => threads.derive(parameters))
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
