import type { MailServer } from '../model/mail/server.ts'

const fields = ['message', 'stack', 'response', 'responseText', 'serverResponseText']

/**
 * A server may echo what it received, and its messages are shown and logged: removes the password or token from them,
 * both as typed and as the protocols encode it.
 */
export function hidePassword(
  error: unknown,
  { password: typed, token }: Pick<MailServer, 'password' | 'token'>,
): unknown {
  const password = token ?? typed
  if (!password || typeof error !== 'object' || error === null) return error
  // PLAIN, LOGIN, XOAUTH2 and OAUTHBEARER send it inside base64, each with other words around it.
  const holdsPassword = (run: string): boolean => Buffer.from(run, 'base64').includes(password)
  const hide = (words: string): string =>
    [password.replaceAll(/["\\]/g, '\\$&'), password].reduce(
      (text, form) => text.replaceAll(form, '…'),
      words.replaceAll(/[\w+/]+=*/g, (run) => (holdsPassword(run) ? '…' : run)),
    )
  const said = error as Record<string, unknown>
  for (const field of fields) {
    const words = said[field]
    if (typeof words === 'string') said[field] = hide(words)
  }
  return error
}
