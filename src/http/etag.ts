import { hash } from 'node:crypto'

/** For `ETag`: of the same there is the same. */
export function tagOf(content: string | Uint8Array): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 27)}"`
}

export function isSame(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((candidate) => ['*', etag, `W/${etag}`].includes(candidate.trim()))
}

const mostViews = 1_000

/** Tags of what changes whenever anything in a view does. */
export class ViewTags {
  readonly #tags = new Map<string, { stamp: string; tag: string }>()
  readonly #release: () => string

  /** `release`: what else the same store and caller are answered differently by. */
  constructor(release: () => string) {
    this.#release = release
  }

  of(view: string, stamp: string): string {
    const known = this.#tags.get(view)
    if (known?.stamp === stamp) return known.tag
    const tag = tagOf(`${view} ${stamp} ${this.#release()}`)
    if (this.#tags.size >= mostViews) this.#tags.clear()
    this.#tags.set(view, { stamp, tag })
    return tag
  }
}
