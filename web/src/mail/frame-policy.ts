/** A mail's frame may open links in a new window and nothing else. It has an opaque origin. */
export const frameSandbox = 'allow-popups allow-popups-to-escape-sandbox'

/** No scripts, no forms, and no resources except those in the document itself. */
export const framePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"

/** The frame's document; `head` and `body` are untrusted, so the policy comes first. */
export function writeFrame(head: string, body: string): string {
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${framePolicy}"><meta name="referrer" content="no-referrer">${head}</head><body>${body}</body></html>`
}

/** A document that runs one script of the page and loads nothing else. The script draws the PDF passed to it. */
export function writePdfFrame(script: string): string {
  const policy = `default-src 'none'; script-src ${script}; style-src 'unsafe-inline'; img-src data: blob:; form-action 'none'; base-uri 'none'`
  const style =
    'body{margin:0;padding:12px;background:#8883;display:grid;gap:12px}canvas{display:block;width:100%;background:#fff}'
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style></head><body><script src="${script}"></script></body></html>`
}
