import type { Delivered, Parcel } from '../core/notices/delivery.ts'
import { writePushes } from '../core/notices/letters.ts'
import type { PushResult, PushService } from '../model/notices/push.ts'

/** Sends to every browser of the person. One that accepts is enough, so that nobody is notified twice. */
export async function pushParcel(
  parcel: Parcel,
  service: PushService,
  turns: PushTurns,
  stop: AbortSignal,
): Promise<Delivered> {
  const pushes = writePushes(parcel)
  const browsers = await Promise.all(
    parcel.browsers.map(async (browser) => {
      let [problem, isGone]: [string | null, boolean] = [null, false]
      for (const push of pushes) {
        if (isGone) break
        // A topic has at most 32 characters, from the alphabet that ids use.
        const sent = await turns.take(parcel.listener.id, async (): Promise<PushResult> => {
          if (stop.aborted) return { result: 'failed', problem: 'Spool is stopping.' }
          return service.send(browser, JSON.stringify(push), push.tag.slice(0, 32))
        })
        if (sent.result === 'failed') problem = sent.problem
        isGone = sent.result === 'gone'
      }
      return { id: browser.id, problem, isGone }
    }),
  )
  const taken = browsers.some(({ problem, isGone }) => problem === null && !isGone)
  const failed = browsers.find(({ problem }) => problem !== null)
  return { parcel, problem: taken ? null : (failed?.problem ?? null), isFinal: false, browsers }
}

const mostAtOnce = 4

interface Waiting {
  userId: string
  begin(): void
}

/**
 * A few pushes at a time. The next turn goes to whoever has the fewest under way, so that a person whose browsers name
 * slow hosts holds up others for the time of one push at most.
 */
export class PushTurns {
  readonly #waiting: Waiting[] = []
  readonly #underWay = new Map<string, number>()
  #running = 0

  async take<Result>(userId: string, push: () => Promise<Result>): Promise<Result> {
    if (this.#running < mostAtOnce) this.#count(userId, 1)
    else await new Promise<void>((begin) => this.#waiting.push({ userId, begin }))
    try {
      return await push()
    } finally {
      this.#count(userId, -1)
      this.#beginNext()
    }
  }

  #beginNext(): void {
    const counts = this.#waiting.map(({ userId }) => this.#underWay.get(userId) ?? 0)
    const [next] = this.#waiting.splice(counts.indexOf(Math.min(...counts)), 1)
    if (!next) return
    this.#count(next.userId, 1)
    next.begin()
  }

  #count(userId: string, change: 1 | -1): void {
    this.#running += change
    const count = (this.#underWay.get(userId) ?? 0) + change
    if (count > 0) this.#underWay.set(userId, count)
    else this.#underWay.delete(userId)
  }
}
