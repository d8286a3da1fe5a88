import type { FileKind, FileText } from '../../model/files/file-text.ts'

/** Maximum number of characters kept from one file. */
export const longestText = 400_000

export function cut(kind: FileKind, text: string, note: string | null): FileText {
  if (text.length <= longestText) return { kind, text, note }
  const rest = `Only the first ${longestText} characters were read.`
  return {
    kind,
    text: text.slice(0, longestText).toWellFormed(),
    note: note === null ? rest : `${rest} ${note}`,
  }
}
