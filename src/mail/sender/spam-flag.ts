import { readTopHeader } from '../parse/header.ts'

/** Whether the header says `X-Spam-Flag: YES`, for callers that trust the host that wrote it. */
export function hasSpamFlag(mail: Uint8Array): boolean {
  // Headers are added at the top: the first is the newest.
  return /^\s*yes\b/i.test(readTopHeader(mail).get('x-spam-flag')?.[0] ?? '')
}
