import { lazy } from '../controls/lazy.tsx'
import { session } from './session.ts'

export function hasInbox(): boolean {
  return session.value!.inboxes.length > 0
}

export const NoInbox = lazy(async () => (await import('./inbox-cards.tsx')).NoInbox)
export const StoppedInboxes = lazy(async () => (await import('./inbox-cards.tsx')).StoppedInboxes)
