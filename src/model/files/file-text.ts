import type { Invitation } from './invitation.ts'

/** The kind of an attachment, and its text as far as a program can extract it. */
export interface FileText {
  kind: FileKind
  /** Null where there is no text to read. */
  text: string | null
  /** A remark for the reader, written by Spool. */
  note: string | null
  /** For calendar files only. */
  invitation?: Invitation | null
}

export const fileKinds = ['text', 'html', 'pdf', 'docx', 'png', 'jpeg', 'gif', 'webp', 'other'] as const
export type FileKind = (typeof fileKinds)[number]

/** Pictures that can be shown as they are. */
export const pictureTypes: Partial<Record<FileKind, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}
