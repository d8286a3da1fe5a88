import { promises as dns } from 'node:dns'
import { parentPort, workerData } from 'node:worker_threads'
import { authenticate } from 'mailauth'
import type { CheckAnswer, CheckRequest, Probe, SenderCheckSettings } from './check.ts'
import { unchecked, type SenderVerdict } from './verdict.ts'
import { isCheckable, isReadTwoWays, onlyAuthor } from './signed-header.ts'

const { nameServers } = workerData as SenderCheckSettings
const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })
if (nameServers) resolver.setServers(nameServers)

parentPort?.on('message', (request: CheckRequest | Probe) => {
  if (request === 'there?') parentPort?.postMessage('here')
  else void answer(request)
})

async function answer({ id, ...mail }: CheckRequest): Promise<void> {
  const verdict = await check(mail).catch(() => unchecked)
  parentPort?.postMessage({ id, verdict } satisfies CheckAnswer)
}

async function check({ raw, sender, clientAddress, helo }: Omit<CheckRequest, 'id'>): Promise<SenderVerdict> {
  // Signatures of a mail that is too costly to check count for nothing, but its sender can be checked without them.
  const isWhole = isCheckable(raw)
  const checked = isWhole ? Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength) : onlyAuthor(raw)
  const { spf, dkim, dmarc } = await authenticate(checked, {
    ip: clientAddress,
    helo,
    sender,
    mta: 'spool',
    disableArc: true,
    disableBimi: true,
    resolver: (name, type) => resolver.resolve(name, type) as Promise<string[]>,
  })
  // A signature that leaves part of the body unsigned (l=) says nothing about what was added there.
  const isDoubled = isWhole && isReadTwoWays(raw)
  const signatures = dkim.results.map(({ status: { result, underSized = 0 } }) =>
    result === 'pass' && (underSized > 0 || isDoubled) ? 'policy' : result,
  )
  const verdict = dmarc ? dmarc.status.result : null
  const bySignature = dmarc && !dmarc.alignment?.spf.result
  const isPartly =
    verdict === 'pass' && bySignature && (isDoubled || (dmarc.alignment?.dkim.underSized ?? 0) > 0)
  return {
    authentication: {
      spf: spf ? spf.status.result : null,
      // One valid signature out of several is enough.
      dkim: isWhole ? (signatures.find((result) => result === 'pass') ?? signatures[0] ?? 'none') : 'policy',
      dmarc: isPartly ? null : verdict,
    },
    author: (dmarc && dmarc.status.header?.from) || null,
    isCut: !isWhole || isPartly || verdict === null || verdict === 'temperror',
  }
}
