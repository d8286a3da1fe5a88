/**
 * One hostile piece of HTML. In its source `HIT` stands for a call that tells the page a script ran, `REMOTE` for an
 * address on another server and `LOCAL` for a relative one; all three carry the vector's number.
 */
export interface Vector {
  name: string
  html: string
}

export function armVector(vector: Vector, id: number): string {
  return vector.html
    .replaceAll('HIT', `top.postMessage(${id},String.fromCharCode(42))`)
    .replaceAll('REMOTE', `http://remote.test/v${id}`)
    .replaceAll('LOCAL', `local-v${id}`)
}

export function named(kind: string, sources: readonly string[]): Vector[] {
  return sources.map((html, at) => ({ name: `${kind} ${at + 1}: ${html.slice(0, 90)}`, html }))
}
