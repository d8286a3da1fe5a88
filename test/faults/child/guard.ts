/**
 * Tries every target that is to be refused, at registration and at delivery, beside canaries. `guard.ts namespace`: in a
 * network namespace of its own in which every address there is leads to the canary, so that whatever gets out is seen.
 * Says what it found as JSON.
 */
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { Courier } from '../../../src/webhook/deliver.ts'
import { Guard } from '../../../src/webhook/guard.ts'
import { NameServer } from '../../support/name-server.ts'
import { ownEveryAddress } from '../guard/every-address.ts'
import { badNames, badUrls, changing, literalHosts, localNames, publicAddress } from '../guard/targets.ts'

const isolated = process.argv[2] === 'namespace'
if (isolated) ownEveryAddress()

/** Where connections came in, by the address they were made to. */
const caught: string[] = []
const canary = createServer((socket) => {
  caught.push(socket.localAddress!.replace(/^::ffff:/, ''))
  socket.on('error', () => undefined).destroy()
})
canary.listen(0, '::')
await once(canary, 'listening')
const { port } = canary.address() as AddressInfo

let asked = 0
await using names = await NameServer.start({
  addresses: (name) =>
    name === changing ? (asked++ < 2 ? [publicAddress] : ['127.0.0.1']) : (badNames.get(name) ?? []),
})
/** A busy machine is given time. */
const timeout = 30_000
const resolver = new Resolver({ timeout, tries: 1 })
resolver.setServers([names.address])

const guard = new Guard({ allow: [], resolver })
await using courier = new Courier(guard, timeout)
const never = new AbortController().signal
const post = (url: string, by = courier) =>
  by.deliver({ url, secrets: ['whsec_c2VjcmV0'], id: 'evt_1', body: '{}', now: Date.now() }, never)

const urls = [
  ...literalHosts.flatMap((host) => [`https://${host}:${port}/hook`, `http://${host}:${port}/hook`]),
  ...localNames.map((name) => `https://${name}:${port}/hook`),
  ...[...badNames.keys()].map((name) => `https://${name}:${port}/hook`),
  ...badUrls,
]
const registered: string[] = []
const delivered: string[] = []
for (const url of urls) {
  await guard.checkRegistration(url).then(
    () => registered.push(url),
    () => undefined,
  )
  const { fault, status } = await post(url)
  if (status !== null || !/webhook needs an https address/.test(fault ?? ''))
    delivered.push(`${url}: ${fault}`)
}
const caughtByTargets = [...caught]

// Redirects from an endpoint that may be reached, to those that may not.
await using own = new Courier(new Guard({ allow: ['127.0.0.1'], resolver }), timeout)
const redirects: number[] = []
const server = createHttpServer((request, response) => {
  redirects.push(Number(request.url!.slice(1)))
  response.writeHead(Number(request.url!.slice(1)), { location: `http://127.0.0.2:${port}/` }).end()
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const answers: (number | null)[] = []
for (const status of [301, 302, 303, 307, 308])
  answers.push(
    (await post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${status}`, own)).status,
  )
const caughtByRedirects = caught.slice(caughtByTargets.length)

// What may be reached is reached, and at the address that was checked: otherwise the canaries would prove nothing.
caught.length = 0
await post(`http://127.0.0.1:${port}/`, own)
const caughtAllowed = [...caught]
caught.length = 0
let pinned: string[] | null = null
if (isolated) {
  await post(`https://${changing}:${port}/hook`)
  await post(`https://${changing}:${port}/hook`)
  pinned = [...caught]
}
process.stdout.write(
  `${JSON.stringify({
    targets: urls.length,
    registered,
    delivered,
    caughtByTargets,
    redirects,
    answers,
    caughtByRedirects,
    caughtAllowed,
    pinned,
  })}\n`,
)
server.close()
server.closeAllConnections()
canary.close()
