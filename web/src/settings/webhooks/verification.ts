/** How a receiver verifies a delivery with the public library; it needs the raw body, before any JSON parser. */
export const snippets = {
  typescript: `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.SPOOL_WEBHOOK_SECRET)

// headers: those of the request; body: its text as it came
export function readDelivery(headers, body) {
  return webhook.verify(body, {
    'webhook-id': headers['webhook-id'],
    'webhook-timestamp': headers['webhook-timestamp'],
    'webhook-signature': headers['webhook-signature'],
  }) // throws where the signature does not fit
}`,
  python: `import os
from standardwebhooks.webhooks import Webhook

webhook = Webhook(os.environ["SPOOL_WEBHOOK_SECRET"])

# headers: those of the request; body: its bytes as they came
def read_delivery(headers, body):
    return webhook.verify(body, headers)  # raises where the signature does not fit`,
} as const
