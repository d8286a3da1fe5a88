import type { EventType } from './events.ts'

/** Why a webhook was disabled. */
export type DisabledReason =
  | 'gone'
  | 'failing'
  | 'by_person'
  | 'owner_removed'
  | 'owner_viewer'
  | 'owner_password'
  | 'secret_lost'

export const disabledReasons: Record<DisabledReason, string> = {
  gone: 'the endpoint answered 410 Gone',
  failing: 'five days of nothing but failures',
  by_person: 'disabled by a person',
  owner_removed: 'its owner was removed',
  owner_viewer: 'its owner became a viewer',
  owner_password: 'its owner got a new password',
  secret_lost: 'its secret was lost; make a new one',
}

export interface Webhook {
  id: string
  userId: string
  url: string
  /** Null: all kinds. */
  types: readonly EventType[] | null
  /** Inbox numbers; null: everything the owner sees. */
  inboxes: readonly number[] | null
  state: 'enabled' | 'disabled' | 'removed'
  disabledReason: DisabledReason | null
  disabledAt: number | null
  createdAt: number
  revision: number
}

/** `waiting`: failed, will be retried. `failed`: will not be retried automatically. */
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
  /** Of the last attempt: status, duration, and up to 1 kB of the response body. */
  status: number | null
  milliseconds: number | null
  answer: string | null
  /** Why there was no response. */
  fault: string | null
}

/** The result of one POST. */
export interface Attempt {
  at: number
  milliseconds: number
  status: number | null
  answer: string | null
  fault: string | null
  /** From Retry-After, in milliseconds. */
  retryAfter: number | null
}

export function isSuccess({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300
}

/** Milliseconds until each retry: ten attempts over about three days. */
export const retryDelays = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * 1000,
)
/** Upper bound of the random extra delay, so that deliveries that failed together are not retried together. */
export const mostJitter = 0.1
/** Longest Retry-After that is respected. */
export const longestRetryAfter = 86_400_000
/** A webhook with nothing but failures for this long is disabled. */
export const failingLimit = 5 * 86_400_000
/** How long both secrets sign after a rotation. */
export const rotationOverlap = 86_400_000

/** When to retry after this many attempts; null after the last. */
export function nextAttempt(attempts: number, attempt: Attempt, random: () => number): number | null {
  const delay = retryDelays[attempts - 1]
  if (delay === undefined) return null
  const retryAfter = Math.min(attempt.retryAfter ?? 0, longestRetryAfter)
  return (
    attempt.at + attempt.milliseconds + Math.max(Math.round(delay * (1 + random() * mostJitter)), retryAfter)
  )
}
