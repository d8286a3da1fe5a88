import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Names this process as the holder of leases; `MACHINE/PID/RANDOM`, so that its neighbours can see whether it lives. */
export function makeHolder(): string {
  return `${machine()}/${process.pid}/${randomBytes(6).toString('hex')}`
}

/** True only for a process of this machine that has ended: nobody has to wait for the end of its leases. */
export function isGone(holder: string): boolean {
  const [where, pid] = holder.split('/')
  if (where !== machine()) return false
  // Another name with the number of this very process: whoever had it before is gone.
  if (Number(pid) === process.pid) return true
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

let known: string | undefined

/** Process numbers mean the same only within one start of one kernel, and one namespace: containers have their own. */
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
