import { promises as dns } from 'node:dns'
import { parentPort, workerData } from 'node:worker_threads'
import { authenticate } from 'mailauth'
import type { Authentication } from '../model/mail.ts'
import type { CheckAnswer, CheckRequest, SenderCheckSettings } from './sender-check.ts'

const { nameServers } = workerData as SenderCheckSettings
const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })
if (nameServers) resolver.setServers(nameServers)

parentPort?.on('message', (request: CheckRequest) => void answer(request))

async function answer({ id, ...mail }: CheckRequest): Promise<void> {
  const authentication = await check(mail).catch((): Authentication => ({
    spf: 'temperror',
    dkim: 'temperror',
    dmarc: 'temperror',
  }))
  parentPort?.postMessage({ id, authentication } satisfies CheckAnswer)
}

async function check({
  raw,
  sender,
  clientAddress,
  helo,
}: Omit<CheckRequest, 'id'>): Promise<Authentication> {
  const { spf, dkim, dmarc } = await authenticate(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), {
    ip: clientAddress,
    helo,
    sender,
    mta: 'spool',
    disableArc: true,
    disableBimi: true,
    resolver: (name, type) => resolver.resolve(name, type) as Promise<string[]>,
  })
  const signatures = dkim.results.map(({ status }) => status.result)
  return {
    spf: spf ? spf.status.result : null,
    // Of several signatures one that holds is enough.
    dkim: signatures.find((result) => result === 'pass') ?? signatures[0] ?? 'none',
    dmarc: dmarc ? dmarc.status.result : null,
  }
}
