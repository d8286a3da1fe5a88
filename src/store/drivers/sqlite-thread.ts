import { parentPort, workerData } from 'node:worker_threads'
import { isBusy, openConnection, busyTimeout, type SqliteConnection } from './sqlite-connection.ts'
import type { CompiledSql } from '../statement.ts'

/** A thread with one connection, for writing or for reading that takes long; one request after the other. */
export type ThreadCall = (
  | { do: 'all' | 'first' | 'run'; query: CompiledSql }
  | { do: 'begin' | 'begin-write' | 'commit' | 'rollback' | 'close' }
) & {
  /** Writes that come with it, because the way to another thread costs more than most statements. */
  before?: CompiledSql[]
}
export type ThreadRequest = ThreadCall & { id: number }

export type ThreadAnswer =
  | { id: number; value: unknown }
  | { id: number; fault: { message: string; code?: string } }

export function answerRequest(connection: SqliteConnection, request: ThreadCall): unknown {
  // A request that finds the file locked is made again, without those that are done.
  for (const { before = [] } = request; before.length > 0; before.shift()) connection.run(before[0]!)
  switch (request.do) {
    case 'all':
      return connection.all(request.query)
    case 'first':
      return connection.first(request.query)
    case 'run':
      return connection.run(request.query)
    case 'begin':
      return connection.execute('BEGIN IMMEDIATE')
    // With the version of the store, which another process may have migrated: it comes at no further trip to the thread.
    case 'begin-write':
      connection.execute('BEGIN IMMEDIATE')
      return countMigrations(connection)
    case 'commit':
      return connection.execute('COMMIT')
    case 'rollback':
      return connection.execute('ROLLBACK')
    case 'close':
      return connection.close()
  }
}

export function countMigrations(connection: SqliteConnection): number {
  const sql = 'SELECT count(*) AS count FROM migrations'
  return (connection.first({ sql, parameters: [] }) as { count: number }).count
}

if (parentPort && workerData?.spoolStore) {
  const port = parentPort
  const connection = await openConnection(workerData.file as string, {
    readonly: workerData.readonly as boolean,
  })
  const nap = new Int32Array(new SharedArrayBuffer(4))

  port.on('message', (request: ThreadRequest) => {
    const until = Date.now() + busyTimeout
    for (;;) {
      try {
        const value = answerRequest(connection, request)
        port.postMessage({ id: request.id, value } satisfies ThreadAnswer, bytesIn(value))
        break
      } catch (error) {
        if (isBusy(error) && Date.now() < until) {
          Atomics.wait(nap, 0, 0, 1 + Math.random())
          continue
        }
        const { message, code } = error as { message: string; code?: string }
        port.postMessage({
          id: request.id,
          fault: { message, ...(code ? { code } : {}) },
        } satisfies ThreadAnswer)
        break
      }
    }
    if (request.do === 'close') port.close()
  })
}

/** What a single row holds of them is handed over and not copied: a page of a list is one. */
export function bytesIn(value: unknown): ArrayBuffer[] {
  const row: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return []
  return Object.values(row).flatMap((field: unknown) =>
    field instanceof Uint8Array && field.byteLength === field.buffer.byteLength
      ? [field.buffer as ArrayBuffer]
      : [],
  )
}
