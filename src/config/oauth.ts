import { SpoolError } from '../model/errors.ts'
import type { RegisteredClient } from '../model/mail/oauth.ts'

type Read = <Value>(name: string, fallback: Value, parse: (text: string) => Value) => Value

/** OAuth clients registered with mail providers. If none is set, an admin enters one in the web inbox. */
export function readOAuthClients(read: Read): Record<'microsoft' | 'google', RegisteredClient | null> {
  const text = (name: string): string | null => read<string | null>(name, null, (value) => value)
  const client = (name: 'MICROSOFT' | 'GOOGLE', tenant: string | null): RegisteredClient | null => {
    const clientId = text(`SPOOL_OAUTH_${name}_CLIENT_ID`)
    const clientSecret = text(`SPOOL_OAUTH_${name}_CLIENT_SECRET`)
    if (clientId !== null) return { clientId, clientSecret, tenant }
    if (clientSecret === null && tenant === null) return null
    throw new SpoolError('bad_parameter', `SPOOL_OAUTH_${name}_CLIENT_ID must be set too.`)
  }
  return {
    microsoft: client('MICROSOFT', text('SPOOL_OAUTH_MICROSOFT_TENANT')),
    google: client('GOOGLE', null),
  }
}
