import type { AttachmentReference } from '../../../src/model/history.ts'

export type FileKind = 'image' | 'text' | 'pdf'

const largest: Record<FileKind, number> = { image: 10_000_000, text: 5_000_000, pdf: 30_000_000 }

/** What a file can be shown as, according to the sender. A false image or PDF fails to load and is not shown. */
export function kindOf({ contentType, filename, size }: AttachmentReference): FileKind | null {
  const kind = claimedKind(contentType.toLowerCase().split(';')[0]!.trim(), filename)
  return kind !== null && size <= largest[kind] ? kind : null
}

function claimedKind(type: string, filename: string): FileKind | null {
  if (/^image\/(png|jpeg|gif|webp)$/.test(type)) return 'image'
  if (type === 'application/pdf' || /\.pdf$/i.test(filename)) return 'pdf'
  if (/^text\/|^application\/(json|xml|yaml|x-yaml|x-sh|sql)$|\+(json|xml)$/.test(type)) return 'text'
  return /\.(txt|md|csv|tsv|log|json|xml|ya?ml|ini|diff|patch|ics|vcf)$/i.test(filename) ? 'text' : null
}
