/** A browser as a push service knows it, with the keys to encrypt for it. */
export interface PushTarget {
  endpoint: string
  p256dh: string
  auth: string
}

/** `gone`: the browser no longer wants any. */
export type PushResult = { result: 'taken' | 'gone' } | { result: 'failed'; problem: string }

export interface PushService {
  /** Rejects an endpoint that no push may go to. */
  check(endpoint: string): Promise<void>
  /** Of several with the same topic, a browser that was away gets the last. */
  send(target: PushTarget, message: string, topic: string): Promise<PushResult>
}
