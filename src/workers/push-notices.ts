import type { Delivered, Parcel } from '../core/notices/delivery.ts'
import { writePushes } from '../core/notices/letters.ts'
import type { PushService } from '../model/notices/push.ts'

/** Sends to every browser of the person. One that accepts is enough, so that nobody is notified twice. */
export async function pushParcel(parcel: Parcel, service: PushService): Promise<Delivered> {
  const pushes = writePushes(parcel)
  const browsers = await Promise.all(
    parcel.browsers.map(async (browser) => {
      let [problem, isGone]: [string | null, boolean] = [null, false]
      for (const push of pushes) {
        if (isGone) break
        // A topic has at most 32 characters, from the alphabet that ids use.
        const sent = await service.send(browser, JSON.stringify(push), push.tag.slice(0, 32))
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
