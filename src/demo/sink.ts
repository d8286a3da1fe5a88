import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Sink extends AsyncDisposable {
  port: number
}

/** Receives the demo's outgoing mail: accepts everything, from this machine only, and stores nothing. */
export async function startSink(): Promise<Sink> {
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    disableReverseLookup: true,
    onData(stream, _session, done) {
      stream.resume().on('end', () => done())
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
