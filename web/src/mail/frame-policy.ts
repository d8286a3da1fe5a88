/** A mail's frame may open links in a new window and nothing else. It has an opaque origin. */
export const frameSandbox = 'allow-popups allow-popups-to-escape-sandbox'

/** No scripts, no forms, and no resources except those in the document itself. */
export const framePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"

/** The frame's document; `head` and `body` are untrusted, so the policy comes first. */
export function writeFrame(head: string, body: string): string {
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${framePolicy}"><meta name="referrer" content="no-referrer">${head}</head><body>${body}</body></html>`
}
