import type { EventType } from './events.ts'

/** Why a subscription gets nothing any more. */
export type DisabledReason =
  | 'gone'
  | 'failing'
  | 'by_person'
  | 'owner_removed'
  | 'owner_viewer'
  | 'owner_password'

export const disabledReasons: Record<DisabledReason, string> = {
  gone: 'the endpoint answered 410 Gone',
  failing: 'five days of nothing but failures',
  by_person: 'disabled by a person',
  owner_removed: 'its owner was removed',
  owner_viewer: 'its owner became a viewer',
  owner_password: 'its owner got a new password',
}

export interface Webhook {
  id: string
  userId: string
  url: string
  /** Null: all kinds. */
  types: readonly EventType[] | null
  /** Numbers; null: all that the owner sees. */
  inboxes: readonly number[] | null
  state: 'enabled' | 'disabled' | 'removed'
  disabledReason: DisabledReason | null
  disabledAt: number | null
  createdAt: number
  revision: number
}

/** `waiting`: it failed and is tried again. `failed`: it is not tried again by itself. */
export const deliveryStates = ['delivered', 'waiting', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface Delivery {
  webhookId: string
  seq: number
  previousSeq: number | null
  eventId: string
  type: EventType
  state: DeliveryState
  attempts: number
  attemptedAt: number | null
  nextAttemptAt: number | null
  /** Of the last attempt: what the endpoint answered, how fast, and up to 1 kB of what it said. */
  status: number | null
  milliseconds: number | null
  answer: string | null
  /** Why there was no answer. */
  fault: string | null
}

/** What came of one POST. */
export interface Attempt {
  at: number
  milliseconds: number
  status: number | null
  answer: string | null
  fault: string | null
  /** Milliseconds for which the endpoint wishes to be left alone. */
  retryAfter: number | null
}

export function isSuccess({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300
}

/** How long after an attempt the next one comes, in milliseconds: ten attempts over about three days. */
export const retryDelays = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * 1000,
)
/** At most this share is added, so that what failed together does not come back together. */
export const mostJitter = 0.1
/** Who asks for more patience than a day is asked again after a day. */
export const mostPatience = 86_400_000
/** Nothing but failures for so long disables a subscription. */
export const failingLimit = 5 * 86_400_000
/** After a rotation both secrets sign for so long. */
export const rotationOverlap = 86_400_000

/** When to try again after that many attempts, or null when that was the last. */
export function nextAttempt(attempts: number, attempt: Attempt, random: () => number): number | null {
  const delay = retryDelays[attempts - 1]
  if (delay === undefined) return null
  const patience = Math.min(attempt.retryAfter ?? 0, mostPatience)
  return (
    attempt.at + attempt.milliseconds + Math.max(Math.round(delay * (1 + random() * mostJitter)), patience)
  )
}
