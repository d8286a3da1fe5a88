/**
 * Fetches pictures from every address that is to be refused, and from a server that answers in every wrong way, beside
 * a canary that has a picture for everybody. See webhook `guard.ts`; says what it found as JSON.
 */
import { Resolver } from 'node:dns/promises'
import { PictureFetcher } from '../../../src/fetch/pictures.ts'
import { Guard } from '../../../src/webhook/guard.ts'
import { NameServer } from '../../support/name-server.ts'
import { PictureHost, png } from '../../support/picture-host.ts'
import { ownEveryAddress } from '../guard/every-address.ts'
import { hostileAnswers, taken, tooSlow, whole } from '../guard/picture-answers.ts'
import { badNames, badUrls, changing, literalHosts, localNames, publicAddress } from '../guard/targets.ts'

const isolated = process.argv[2] === 'namespace'
if (isolated) ownEveryAddress()

const caught: string[] = []
await using canary = await PictureHost.start(
  { '/': (response) => void (caught.push(response.socket!.localAddress!), response.end(png(2, 2))) },
  { host: '::', port: isolated ? 80 : 0 },
)
const port = new URL(canary.url).port || '80'

let asked = 0
await using names = await NameServer.start({
  addresses: (name) =>
    name === changing ? (asked++ < 2 ? [publicAddress] : ['127.0.0.1']) : (badNames.get(name) ?? []),
})
/** A busy machine is given time. */
const timeout = 30_000
const resolver = new Resolver({ timeout, tries: 1 })
resolver.setServers([names.address])
await using strict = new PictureFetcher(new Guard({ for: 'fetch', allow: [], resolver }), timeout)

const never = new AbortController().signal
const outcome = (address: string, by: PictureFetcher): Promise<string> =>
  by.fetch(address, never).then(
    ({ type }) => type,
    (error: Error) => error.message,
  )

const urls = [
  ...literalHosts.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`]),
  ...localNames.map((name) => `http://${name}:${port}/`),
  ...[...badNames.keys()].map((name) => `http://${name}:${port}/`),
  ...[22, 25, 6379, 8080].map((other) => `http://${publicAddress}:${other}/`),
  ...badUrls.filter((url) => url !== 'http://93.184.215.14/'),
]
const outcomes = await Promise.all(urls.map(async (url) => [url, await outcome(url, strict)] as const))
const reached = outcomes.filter(([, said]) => !/Spool fetches only from public addresses/.test(said))
const caughtByTargets = [...caught]

const answers = hostileAnswers(`http://127.0.0.2:${port}/`)
const pictures = Object.fromEntries(Object.entries(whole).map(([name, bytes]) => [`/${name}`, bytes]))
await using host = await PictureHost.start({
  ...pictures,
  ...Object.fromEntries(
    Object.entries(answers).map(([name, [answering]]) => [`/${encodeURIComponent(name)}`, answering]),
  ),
})
const guard = new Guard({ for: 'fetch', allow: ['127.0.0.1'], resolver })
await using own = new PictureFetcher(guard, timeout)
await using hasty = new PictureFetcher(guard, 500)
const wrong = await Promise.all(
  Object.entries(answers).map(async ([name, [, expected]]) => {
    const said = await outcome(`${host.url}/${encodeURIComponent(name)}`, expected === tooSlow ? hasty : own)
    return expected.test(said) ? [] : [`${name}: ${said}`]
  }),
)
const types = await Promise.all(Object.keys(pictures).map((path) => outcome(host.url + path, own)))
const caughtByRedirects = caught.slice(caughtByTargets.length)

// What may be reached is reached, at the address that was checked: otherwise the canary would prove nothing.
caught.length = 0
let pinned: string[] | null = null
if (isolated)
  pinned = [await outcome(`http://${changing}/`, strict), await outcome(`http://${changing}/?2`, strict)]
process.stdout.write(
  `${JSON.stringify({
    targets: urls.length,
    answers: Object.keys(answers).length,
    reached,
    caughtByTargets,
    wrong: wrong.flat(),
    types,
    caughtByRedirects,
    megabytes: taken.megabytes,
    pinned,
    caughtPinned: caught.map((address) => address.replace(/^::ffff:/, '')),
  })}\n`,
)
