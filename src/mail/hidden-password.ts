import type { MailServer } from '../model/mail/server.ts'

const fields = ['message', 'stack', 'response', 'responseText', 'serverResponseText']

/**
 * A server may repeat what it was told, and its words are shown and logged: they go on without the password or token,
 * as it is typed and as the protocols write it.
 */
export function hidePassword(error: unknown, { user, password: typed, token }: MailServer): unknown {
  const password = token ?? typed
  if (!password || typeof error !== 'object' || error === null) return error
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const forms = [
    base64(`\0${user ?? ''}\0${password}`),
    base64(`user=${user ?? ''}\x01auth=Bearer ${password}\x01\x01`),
    base64(password),
    password.replaceAll(/["\\]/g, '\\$&'),
    password,
  ]
  const said = error as Record<string, unknown>
  for (const field of fields) {
    const words = said[field]
    if (typeof words === 'string')
      said[field] = forms.reduce((text, form) => text.replaceAll(form, '…'), words)
  }
  return error
}
