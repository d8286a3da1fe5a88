import type { Invitation } from './invitation.ts'

/** What a file of a mail says, as far as a program can read it; what it is otherwise. */
export interface FileText {
  kind: FileKind
  /** Null where there is no text to read. */
  text: string | null
  /** What a reader should know, in Spool's own words. */
  note: string | null
  /** Of a calendar file. */
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
