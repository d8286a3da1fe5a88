import { computed, signal } from '@preact/signals'
import type { ActorReference } from '../../../src/model/access.ts'
import { addressesOf } from '../../../src/model/mail/own-address.ts'
import type { Session } from '../../../src/model/session.ts'
import { ApiError, ask, get } from '../page/api.ts'
import { actsFor, sessionEnded } from '../page/ended.ts'

/** Undefined until the server has answered; null if nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined)

/** True while there is no admin account yet. */
export const notSetUp = signal(false)

/** Whether people can have a link for a new password sent to them. */
export const resetByMail = signal(false)

/** All addresses of an inbox; only its main address if the session does not know the inbox. */
export function addressesOfInbox({ id, address }: { id: string; address: string }): string[] {
  const known = session.value?.inboxes.find((inbox) => inbox.id === id)
  return known ? addressesOf(known) : [address]
}

export function isColleague({ type, id }: ActorReference): boolean {
  return type === 'person' && id !== session.value?.user.id
}

export const canWrite = computed(() => session.value?.canSend ?? false)
export const isAdmin = computed(() => session.value?.user.role === 'admin')

export async function resumeSession(): Promise<void> {
  if (session.value === undefined) {
    const entry = await get('/entry', { quiet: true })
    notSetUp.value = entry.notSetUp
    resetByMail.value = entry.resetByMail
    if (entry.session) become(entry.session)
    else session.value = null
    return
  }
  try {
    become(await get('/session', { quiet: true }))
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      if (session.value) sessionEnded.value = true
      return
    }
    throw error
  }
}

export async function signIn(email: string, password: string): Promise<void> {
  become(await ask('POST', '/session', { email, password }, { quiet: true }))
}

/** A different person gets a fresh page, so that nothing of the previous one stays in memory. */
function become(now: Session): void {
  const before = session.value
  if (before && before.user.id !== now.user.id) return location.assign('/')
  // A session that has not changed stays the same object: a new one reloads the page's data.
  if (JSON.stringify(before) !== JSON.stringify(now)) session.value = now
  actsFor.value = now.user.id
  sessionEnded.value = false
}

export async function signOut(everywhere = false): Promise<void> {
  if (everywhere) await ask('POST', '/sign-out-everywhere', {})
  else await ask('DELETE', '/session')
  location.assign('/')
}
