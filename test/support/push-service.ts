import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
  type ECDH,
} from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { PushMessage } from '../../src/core/notices/letters.ts'

/** The subscription that a browser gives the page. */
export interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

export interface ReceivedPush {
  endpoint: string
  message: PushMessage
  at: number
  topic: string | null
}

export interface PushServiceOfTests extends AsyncDisposable {
  /** A new browser, subscribed with the key of the Spool under test. */
  subscribe(): Subscription
  received: ReceivedPush[]
  /** The response status for a push that could be decrypted. */
  answer(endpoint: string): number | Promise<number>
  /** Why pushes were refused. Each one would be a bug in Spool. */
  faults: string[]
}

interface Browser {
  curve: ECDH
  auth: Buffer
}

/** A push service that also plays every browser: it checks the sender (RFC 8292) and decrypts the push (RFC 8291). */
export async function startPushService(key: string): Promise<PushServiceOfTests> {
  const browsers = new Map<string, Browser>()
  const service: PushServiceOfTests = {
    received: [],
    faults: [],
    answer: () => 201,
    subscribe() {
      const curve = createECDH('prime256v1')
      const p256dh = curve.generateKeys('base64url')
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(12).toString('base64url')}`
      browsers.set(path, { curve, auth })
      return { endpoint: origin + path, keys: { p256dh, auth: auth.toString('base64url') } }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request)
      const endpoint = origin + request.url!
      try {
        const browser = browsers.get(request.url!)
        if (!browser) throw new Error(`nobody subscribed at ${request.url}`)
        checkSender(request.headers, origin, key)
        // What every push service must accept (RFC 8030); most accept no more.
        if (body.length > 4096) throw new Error(`a push of ${body.length} bytes`)
        const message = JSON.parse(decrypt(request.headers, body, browser)) as PushMessage
        const status = await service.answer(endpoint)
        const topic = request.headers['topic']
        if (status < 300)
          service.received.push({
            endpoint,
            message,
            at: performance.now(),
            topic: topic ? String(topic) : null,
          })
        response.writeHead(status).end()
      } catch (error) {
        service.faults.push((error as Error).message)
        response.writeHead(400).end()
      }
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return service
}

/** Requires a token for this service only, valid for at most a day, signed with the key the browser subscribed with. */
function checkSender({ authorization = '', ttl }: IncomingHttpHeaders, origin: string, key: string): void {
  const [, token = '', sent = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  if (sent !== key) throw new Error('not the key the browser subscribed with')
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const isGenuine = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isGenuine) throw new Error('the signature is wrong')
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  if (aud !== origin) throw new Error(`made for ${String(aud)}`)
  const left = Number(exp) - Date.now() / 1000
  if (!(left > 0 && left <= 86_400)) throw new Error(`valid for ${left} s`)
  if (!/^(mailto:|https:)/.test(String(sub))) throw new Error(`nobody to ask: ${String(sub)}`)
  if (!/^\d+$/.test(String(ttl))) throw new Error('no TTL')
}

/** RFC 8188 with the keys of RFC 8291: a single record, like every push. */
function decrypt(
  { 'content-encoding': coding }: IncomingHttpHeaders,
  body: Buffer,
  { curve, auth }: Browser,
): string {
  if (coding !== 'aes128gcm') throw new Error(`coding ${coding}`)
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  const shared = curve.computeSecret(sender)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender])
  const material = Buffer.from(hkdfSync('sha256', shared, auth, info, 32))
  const part = (name: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', material, salt, Buffer.from(`Content-Encoding: ${name}\0`), length))
  const decipher = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  return padded.subarray(0, end).toString()
}
