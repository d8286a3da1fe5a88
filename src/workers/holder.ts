import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Identifies this process as a lease holder: `MACHINE/PID/RANDOM`, so that processes on the same machine can tell
 * whether it is alive.
 */
export function makeHolder(): string {
  return `${machine()}/${process.pid}/${randomBytes(6).toString('hex')}`
}

/** True only for a process of this machine that has ended: nobody has to wait for its leases to expire. */
export function isGone(holder: string): boolean {
  const [where, pid] = holder.split('/')
  if (where !== machine()) return false
  // Another holder with the pid of this process: the earlier process is gone.
  if (Number(pid) === process.pid) return true
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

let known: string | undefined

/** Pids are only comparable within one boot of one kernel and one pid namespace: containers have their own. */
function machine(): string {
  if (known !== undefined) return known
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const namespace = readlinkSync('/proc/self/ns/pid').replace(/\D+/g, '')
    known = `${boot}.${namespace}`
  } catch {
    known = hostname().replaceAll('/', '.')
  }
  return known
}
