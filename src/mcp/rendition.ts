import { drawNonce, raiseFence, type Fence } from './fence.ts'

/**
 * A tool's result as JSON with the places of the nonce left open, so that it can be kept and given out again, each time
 * under a nonce of its own.
 */
export interface Rendition {
  pieces: readonly string[]
  length: number
}

/** The same value twice, as the protocol wants it: structured, and as text for clients that read only that. */
export async function render(make: (fence: Fence) => Promise<object>): Promise<Rendition> {
  const mould = raiseFence()
  const structured = JSON.stringify(await make(mould))
  const text = JSON.stringify(structured)
  const result = `"content":[{"type":"text","text":${text}}],"structuredContent":${structured}`
  return { pieces: result.split(mould.nonce), length: result.length }
}

/** The members of the result, without the braces around them. */
export function cast({ pieces }: Rendition, draw: () => string = drawNonce): string {
  for (;;) {
    const nonce = draw()
    // Never yet seen, and cheap to rule out: a text that happens to hold the nonce.
    if (!pieces.some((piece) => piece.includes(nonce))) return pieces.join(nonce)
  }
}
