import { claimTasks } from '../core/sending/outbox.ts'
import type { Spool } from '../core/spool.ts'
import { startLoop, type Loop } from './loop.ts'
import type { SendMailOptions } from './mail-tasks.ts'

/** Concurrent connections to mail servers, so that a slow one blocks nobody else. */
const atOnce = 8
const pause = 200
/** On shutdown, how long a server may take to answer the final dot; after that the outcome is unknown. */
const grace = 4_000

/** Sends scheduled drafts once their undo window is over; runs on every node, each draft on one. */
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
      // Loaded with the first outgoing mail, so that the server starts sooner.
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
    ...loop,
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]()
      stop.abort()
      const timer = setTimeout(() => cut.abort(), grace)
      await Promise.all(running)
      clearTimeout(timer)
    },
  }
}
