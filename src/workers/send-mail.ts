import { claimTasks } from '../core/sending/outbox.ts'
import type { Spool } from '../core/spool.ts'
import { startLoop, type Loop } from './loop.ts'
import type { SendMailOptions } from './mail-tasks.ts'

/** Mail servers are spoken to by this many at once; one that is slow holds up nobody else. */
const atOnce = 8
const pause = 200
/** At the end, a server that was told the final dot has so long to answer; after that nobody knows. */
const grace = 4_000

/** Sends what people have decided to send, once the time to take it back is over; on every node, each draft on one. */
export function startSendMail(spool: Spool, options: SendMailOptions): Loop {
  const running = new Set<Promise<void>>()
  const stop = new AbortController()
  const cut = new AbortController()
  const loop = startLoop(
    'send-mail',
    pause,
    async () => {
      if (running.size >= atOnce) return
      const tasks = await claimTasks(spool, atOnce - running.size)
      if (tasks.length === 0) return
      // Loaded with the first mail that goes out: a server starts sooner without.
      const mailTasks = import('./mail-tasks.ts')
      for (const task of tasks) {
        const work = mailTasks
          .then(({ doTask }) => doTask(spool, task, options, { stop: stop.signal, cut: cut.signal }))
          .catch(options.onFailure)
          .finally(() => running.delete(work))
        running.add(work)
      }
    },
    options.onFailure,
  )
  return {
    name: loop.name,
    inOrder: () => loop.inOrder(),
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]()
      stop.abort()
      const timer = setTimeout(() => cut.abort(), grace)
      await Promise.all(running)
      clearTimeout(timer)
    },
  }
}
