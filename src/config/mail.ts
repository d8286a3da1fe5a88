import { Resolver } from 'node:dns'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { SpoolError } from '../model/errors.ts'

/** Returns the file's text. Reads it immediately, because a server that cannot use it must not start. */
export function readPem(what: string): (text: string) => string {
  return (file) => {
    let pem: string
    try {
      pem = readFileSync(file, 'utf8')
    } catch (error) {
      throw new Error(`must be a file that can be read (${(error as NodeJS.ErrnoException).code}).`, {
        cause: error,
      })
    }
    if (!new RegExp(`-----BEGIN [A-Z ]*${what}-----`).test(pem))
      throw new Error(`must be a file in PEM that holds a ${what.toLowerCase()}.`)
    return pem
  }
}

export function readTls(cert: string | null, key: string | null): { cert: string; key: string } | null {
  if (cert === null && key === null) return null
  if (cert === null || key === null)
    throw new SpoolError(
      'bad_parameter',
      `${cert === null ? 'SPOOL_TLS_CERT' : 'SPOOL_TLS_KEY'} must be set too: a certificate is of no use without its key.`,
    )
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new SpoolError(
      'bad_parameter',
      'SPOOL_TLS_CERT and SPOOL_TLS_KEY must be a certificate and its own key, without a passphrase.',
      { cause: error },
    )
  }
  return { cert, key }
}

export function readNameServers(text: string): string[] {
  const servers = text.split(',').map((part) => part.trim())
  try {
    new Resolver().setServers(servers)
  } catch (error) {
    throw new Error(
      `must be a comma list of addresses, such as 127.0.0.1 or 127.0.0.1:5353; it is "${text}".`,
      {
        cause: error,
      },
    )
  }
  return servers
}
