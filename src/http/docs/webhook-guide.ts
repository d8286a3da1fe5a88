import { examplePayload } from './answer.ts'
import { viewCode, viewExample } from './code-view.ts'
import type { ApiDocument } from './document.ts'
import type { Chapter } from './chapter.ts'
import { html, inline } from './html.ts'

/** The same code as in docs/webhooks.md, which a test runs. */
export const verifyInPython = `import base64, hashlib, hmac, time

def verify(secret: str, headers: dict, body: str) -> bool:
    timestamp = headers.get("webhook-timestamp", "0")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id')}.{timestamp}.{body}".encode()
    wanted = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(wanted.encode(), signature.encode()) for signature in given)`

const verifyInJavaScript = `import { verifyWebhook } from '@spool-inbox/client/webhooks'

// Throws if it is not Spool's; body is the text as it came.
const event = await verifyWebhook(secret, request.headers, body)`

export function writeWebhookGuide(document: ApiDocument): Chapter[] {
  return [receiving(), payloads(document)]
}

function receiving(): Chapter {
  return {
    anchor: 'webhooks',
    title: 'Webhooks',
    text: html`<p>
        Spool tells your program what happens: one signed <code>POST</code> per event, with ids and no
        content. Fetch the content here, where permissions are checked again. Add a webhook in the web inbox
        under Settings, Webhooks, or with <code>spool webhook add</code>; the secret is shown once.
      </p>
      <ul>
        <li>
          <strong>Verify.</strong> Signatures follow Standard Webhooks, so its libraries work. The headers are
          <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>; use the
          raw body, and reject what is older than five minutes.
        </li>
        <li>
          <strong>Answer 2xx at once</strong> and work afterwards. Anything else, a redirect too, is a
          failure; so is no answer within 15 seconds. There are ten attempts over about three days, and
          <code>Retry-After</code> is honoured. <code>410</code> disables the webhook.
        </li>
        <li><strong>At least once, in order.</strong> Pass over a <code>webhook-id</code> that you know.</li>
        <li>
          <strong>Recover.</strong> If you have not seen <code>previousSeq</code>, you missed something: read
          <a href="#list-events">the events</a> after the last <code>seq</code> that you have.
        </li>
      </ul>`,
    sample: html`${viewCode(verifyInJavaScript, 'TypeScript', 'Verify with the client')}
    ${viewCode(verifyInPython, 'Python', 'Verify in Python')}`,
  }
}

function payloads(document: ApiDocument): Chapter {
  const kinds = Object.entries(document.webhooks).map(
    ([kind, { post }]) =>
      html`<li id="payload-${kind.replace(/[._]/g, '-')}">
        <details>
          <summary><code class="name">${kind}</code> <span>${inline(post.summary)}</span></summary>
          ${viewExample(examplePayload(document, kind), kind)}
        </details>
      </li>`,
  )
  return {
    anchor: 'payloads',
    title: 'Payloads',
    text: html`<p>
        Every kind of event with the body that is sent. In <a href="#list-events">the events</a> the same
        stands without <code>previousSeq</code>. Kinds and fields may be added: pass over what you do not
        know.
      </p>
      <ul class="fields kinds">
        ${kinds}
      </ul>`,
    sample: viewCode(
      `POST /spool HTTP/1.1
Content-Type: application/json
webhook-id: evt_1k9v2c4z0a1b2c3d4e5
webhook-timestamp: 1794649262
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=`,
      'HTTP',
      'The head of a delivery',
    ),
  }
}
