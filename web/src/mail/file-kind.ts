import { claimedKind } from '../../../src/model/files/claimed-kind.ts'
import type { AttachmentReference } from '../../../src/model/history.ts'

export type FileKind = 'image' | 'text' | 'pdf'

const largest: Record<FileKind, number> = { image: 10_000_000, text: 5_000_000, pdf: 30_000_000 }

/** What a file can be shown as, according to the sender. A false image or PDF fails to load and is not shown. */
export function kindOf({ contentType, filename, size }: AttachmentReference): FileKind | null {
  const kind = claimedKind(contentType, filename)
  return kind !== null && size <= largest[kind] ? kind : null
}
