import type { VapidKeys } from 'web-push'
import { SpoolError } from '../model/errors.ts'
import type { PushResult, PushService, PushTarget } from '../model/notices/push.ts'
import { Connections, unlessAborted } from '../webhook/connections.ts'
import type { Guard } from '../webhook/guard.ts'

const timeLimit = 15_000
/** How long a push service keeps a message for a browser that is offline. */
const secondsKept = 86_400

/** Hands messages to push services, encrypted for the browser (RFC 8291) and signed with Spool's key (RFC 8292). */
export class PushSender implements PushService, AsyncDisposable {
  readonly #guard: Guard
  readonly #keys: VapidKeys
  readonly #subject: string
  readonly #connections = new Connections()

  /** `url` tells the push service whom to contact about problems. */
  constructor(guard: Guard, keys: VapidKeys, url: string) {
    this.#guard = guard
    this.#keys = keys
    this.#subject = url.startsWith('https:') ? url : `mailto:spool@${new URL(url).hostname}`
  }

  async check(endpoint: string): Promise<void> {
    await this.#guard.checkRegistration(endpoint).catch((error: unknown) => {
      if (!(error instanceof SpoolError)) throw error
      throw new SpoolError('bad_parameter', 'This browser names a push service that is not public.', {
        cause: error,
      })
    })
  }

  async send({ endpoint, p256dh, auth }: PushTarget, message: string, topic: string): Promise<PushResult> {
    try {
      const { default: webPush } = await import('web-push')
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        message,
        {
          vapidDetails: { subject: this.#subject, ...this.#keys },
          TTL: secondsKept,
          urgency: 'high',
          topic,
        },
      )
      const status = await this.#post(endpoint, headers as Record<string, string>, body!)
      if (status < 300) return { result: 'taken' }
      if (status === 404 || status === 410) return { result: 'gone' }
      return { result: 'failed', problem: `The push service answered ${status}.` }
    } catch (error) {
      const problem = error instanceof SpoolError ? error.message : 'The push service could not be reached.'
      return { result: 'failed', problem }
    }
  }

  async #post(endpoint: string, headers: Record<string, string>, body: Buffer): Promise<number> {
    const signal = AbortSignal.timeout(timeLimit)
    const target = await unlessAborted(this.#guard.check(endpoint), signal)
    return this.#connections.use(target, async (pool) => {
      const path = target.url.pathname + target.url.search
      const answer = await pool.request({ path, method: 'POST', headers, body, signal })
      // Read the body so that the connection can be reused; its content is of no use.
      await answer.body.dump({ limit: 16_384, signal })
      return answer.statusCode
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connections[Symbol.asyncDispose]()
  }
}
