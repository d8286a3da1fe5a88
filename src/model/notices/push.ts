/** A browser's push subscription, with the keys to encrypt for it. */
export interface PushTarget {
  endpoint: string
  p256dh: string
  auth: string
}

/** `gone`: the browser is no longer subscribed. */
export type PushResult = { result: 'taken' | 'gone' } | { result: 'failed'; problem: string }

export interface PushService {
  /** Rejects an endpoint that pushes must not be sent to. */
  check(endpoint: string): Promise<void>
  /** A browser that was offline receives only the last of several messages with the same topic. */
  send(target: PushTarget, message: string, topic: string): Promise<PushResult>
}
