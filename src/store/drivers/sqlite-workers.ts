import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { StoreDamaged, StoreUnavailable } from '../../model/errors.ts'
import type { StoreCondition } from '../condition.ts'
import { faultOf, isBusy, openConnection, busyTimeout, sqliteFault } from './sqlite-connection.ts'
import type { CompiledSql } from '../statement.ts'
import { answerRequest, type ThreadAnswer, type ThreadCall } from './sqlite-thread.ts'

/** Reports failures by rejecting, never by throwing. */
export type Ask = (request: ThreadCall) => Promise<unknown>

export interface SqliteWorker {
  ask: Ask
  /** Its thread has ended and answers nothing any more. */
  readonly hasEnded: boolean
  close(): Promise<void>
}

/** Opens a connection in a worker thread, so that neither an fsync nor another process's lock blocks a read. */
export function openThread(
  file: string,
  condition: StoreCondition,
  { readonly }: { readonly: boolean },
): SqliteWorker {
  const url = new URL(
    import.meta.url.endsWith('.ts') ? './sqlite-thread.ts' : './sqlite-thread.js',
    import.meta.url,
  )
  const worker = new Worker(url, {
    workerData: { spoolStore: true, file, readonly },
    // Rows only pass through the thread; without a limit it would use tens of megabytes for them.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  })
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  let last = 0
  let dead: unknown = null

  const fail = (error: unknown): void => {
    // After an error, the exit says nothing new.
    if (dead) return
    // The error crossed a thread boundary: only the name of its class is left.
    const { name, damage, message } = error as Partial<StoreDamaged>
    if (name === 'StoreDamaged' && damage !== undefined) dead = condition.note(new StoreDamaged(damage))
    else if (name === 'StoreUnwritable') dead = new StoreUnavailable(message)
    else dead = new StoreUnavailable('A thread of the store has ended.', { cause: error })
    for (const { reject } of waiting.values()) reject(dead)
    waiting.clear()
  }
  worker.on('message', (answer: ThreadAnswer) => {
    const call = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('fault' in answer) call?.reject(condition.note(threadFault(answer.fault)))
    else call?.resolve(answer.value)
    if (waiting.size === 0) worker.unref()
  })
  worker.on('error', fail)
  worker.on('exit', (code) => fail(code))
  worker.unref()

  const ask: Ask = (request) =>
    new Promise((resolve, reject) => {
      if (dead) return reject(dead)
      last++
      if (waiting.size === 0) worker.ref()
      waiting.set(last, { resolve, reject })
      worker.postMessage({ id: last, ...withoutPool(request) })
    })
  const close = async (): Promise<void> => {
    if (!dead) await ask({ do: 'close' })
    await worker.terminate()
  }
  return {
    ask,
    get hasEnded() {
      return dead !== null
    },
    close,
  }
}

/** Posting a view to a thread copies its whole ArrayBuffer: for a small Buffer that is Node's pool, 64 KB. */
const mostBytesAlong = 1024

export function withoutPool(request: ThreadCall): ThreadCall {
  const { before } = request
  return {
    ...request,
    ...('query' in request ? { query: ownBytes(request.query) } : {}),
    ...(before ? { before: before.map(ownBytes) } : {}),
  }
}

function ownBytes(query: CompiledSql): CompiledSql {
  if (!query.parameters.some(isPiece)) return query
  const parameters = query.parameters.map((each) => (isPiece(each) ? new Uint8Array(each) : each))
  return { ...query, parameters }
}

function isPiece(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && value.buffer.byteLength - value.byteLength > mostBytesAlong
}

function threadFault(fault: { message: string; code?: string }): Error {
  return faultOf(fault.code ?? '') ?? Object.assign(new Error(fault.message), { code: fault.code })
}

export async function openInlineWriter(
  file: string,
  condition: StoreCondition,
  { scratch }: { scratch: boolean },
): Promise<SqliteWorker> {
  const connection = await openConnection(file, { readonly: false, scratch })
  const askAgain = async (request: ThreadCall): Promise<unknown> => {
    for (const until = Date.now() + busyTimeout; ;) {
      await sleep(1)
      try {
        return answerRequest(connection, request)
      } catch (error) {
        if (!isBusy(error) || Date.now() > until) throw condition.note(sqliteFault(error))
      }
    }
  }
  return {
    // One promise per statement: a batch of mail runs thousands of them, and each is answered synchronously.
    ask(request) {
      try {
        return Promise.resolve(answerRequest(connection, request))
      } catch (error) {
        return isBusy(error) ? askAgain(request) : Promise.reject(condition.note(sqliteFault(error)))
      }
    },
    hasEnded: false,
    async close() {
      connection.close()
    },
  }
}
