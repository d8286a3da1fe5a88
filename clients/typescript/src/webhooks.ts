import type { WebhookPayload } from './payload.ts'

export type { Change, WebhookActor, WebhookKind, WebhookPayload } from './payload.ts'

/** The delivery is not from Spool, was altered, or is too old: answer 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

/** How much the clocks may differ, in seconds. */
const tolerance = 300

/**
 * Returns the delivered payload if the signature is valid. `body` is the text as received, not parsed and serialised
 * again. While a secret is being rotated, Spool signs with both secrets, so either of them is valid.
 */
export async function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string,
): Promise<WebhookPayload> {
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > tolerance)
    throw new WebhookVerificationError(
      'The delivery is too old, or the clocks differ by more than 5 minutes.',
    )
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey(
    'raw',
    fromBase64(secret.replace(/^whsec_/, '')),
    algorithm,
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of readHeader(headers, 'webhook-signature').split(' ')) {
    const [version, text = ''] = signature.split(',')
    if (version !== 'v1' || !/^[A-Za-z0-9+/]{43}=$/.test(text)) continue
    if (await crypto.subtle.verify('HMAC', key, fromBase64(text), signed))
      return JSON.parse(body) as WebhookPayload
  }
  throw new WebhookVerificationError('No signature of this delivery is right for the secret and the body.')
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}
