/** What the frame of a mail may do: open a link in a window of its own, and nothing else. It has no origin. */
export const frameSandbox = 'allow-popups allow-popups-to-escape-sandbox'

/** Nothing runs, nothing is sent, nothing is loaded but what stands in the text itself. */
export const framePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"

/** The document of the frame; what is in `head` and `body` is not trusted to keep it. */
export function writeFrame(head: string, body: string): string {
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${framePolicy}"><meta name="referrer" content="no-referrer">${head}</head><body>${body}</body></html>`
}
