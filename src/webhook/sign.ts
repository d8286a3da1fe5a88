import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/** The Standard Webhooks headers; one signature per secret, so that a receiver may have the old or the new one. */
export function signDelivery(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: number; body: string },
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at / 1000))
  const signatures = secrets.map((secret) => {
    return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/**
 * Imported once: with raw bytes Node imports the key for every signature, which costs several times the signature
 * itself.
 */
const keys = new Map<string, KeyObject>()

function keyOf(secret: string): KeyObject {
  let key = keys.get(secret)
  if (!key) {
    key = createSecretKey(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    if (keys.size >= 1000) keys.delete(keys.keys().next().value!)
    keys.set(secret, key)
  }
  return key
}
