import { quoteServer } from '../../model/errors.ts'
import type { MailServer } from '../../model/mail/server.ts'
import type { Ending, Handover, Parcel } from '../smtp/client.ts'
import { explainNoAnswer } from '../connection-trouble.ts'

const answerTimeout = 120_000
/** Characters of an answer that are read: only a short error is shown. */
const mostRead = 20_000
/** Errors raised before a connection exists, so nothing has been sent yet. */
const unreached = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

/**
 * Sends a mail through Microsoft Graph, for tenants that have SMTP switched off: one request with the whole MIME. As
 * with SMTP's final dot, `beforeRequest` commits that it may be delivered; without a response nobody knows.
 */
export async function handOverByGraph(
  { host, port, security, user, token }: MailServer,
  { source, bcc }: Pick<Parcel, 'source'> & { bcc: readonly string[] },
  beforeRequest: () => Promise<void>,
  { stop, cut }: Ending,
): Promise<Handover> {
  const base = `${security === 'none' ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`
  // Graph delivers to the recipients named in the header and removes Bcc.
  const hidden = bcc.length === 0 ? '' : `Bcc: ${bcc.join(',\r\n ')}\r\n`
  const body = Buffer.concat([Buffer.from(hidden), source]).toString('base64')
  let isSent = false
  try {
    stop.throwIfAborted()
    await beforeRequest()
    stop.throwIfAborted()
    isSent = true
    const answer = await fetch(`${base}/v1.0/users/${encodeURIComponent(user!)}/sendMail`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
      body,
      redirect: 'error',
      signal: AbortSignal.any([cut, AbortSignal.timeout(answerTimeout)]),
    })
    return readAnswer(host, answer.status, await readStart(answer))
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? error) as { code?: string }
    const reason = explainNoAnswer(host, error) ?? `${host} cannot be reached; check this machine's network.`
    if (isSent && !unreached.test(code))
      return { result: 'unknown', answer: `No answer came after the mail was handed over: ${reason}` }
    return { result: 'refused', permanent: false, answer: reason }
  }
}

/** The status is already known: a body that breaks off or never ends does not change the result. */
async function readStart({ body }: Response): Promise<string> {
  let text = ''
  try {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      if (text.length > mostRead) break
    }
  } catch {
    // What was read so far is enough.
  }
  return text
}

function readAnswer(host: string, status: number, text: string): Handover {
  const words = `${host} answers ${status}${explain(text)}`
  if (status >= 200 && status < 300) return { result: 'accepted', answer: words }
  // The request was rejected before anything was done.
  if ([401, 408, 429, 503].includes(status)) return { result: 'refused', permanent: false, answer: words }
  if (status >= 400 && status < 500) return { result: 'refused', permanent: true, answer: words }
  return { result: 'unknown', answer: `It is not known whether the mail was sent: ${words}` }
}

function explain(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: string; message?: string } }
    const said = quoteServer(`${error?.code ?? ''} ${error?.message ?? ''}`)
    const hint = error?.code === 'ErrorAccessDenied' ? ' (it needs the permission Mail.Send)' : ''
    return said === '' ? '' : `: ${said}${hint}`
  } catch {
    return ''
  }
}
