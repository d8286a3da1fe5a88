import { platform, release } from 'node:os'
import packageJson from '../../package.json' with { type: 'json' }
import { openSpool } from '../app/open.ts'
import type { Config } from '../config.ts'
import { listInboxSettings } from '../core/inboxes/settings.ts'
import { describeGrants } from '../core/mailboxes/grants.ts'

/** A report on this installation and its mailboxes that is safe to share. */
export async function writeReport(config: Config, checks: readonly string[]): Promise<string> {
  const lines = [
    `Spool ${packageJson.version}, Node ${process.version}, ${platform()} ${release()}, ${config.databaseUrl ? 'PostgreSQL' : 'SQLite'}`,
    '',
    ...checks,
  ]
  try {
    await using spool = await openSpool(config, 'inline', { absent: 'refuse', earlier: 'keep' })
    // One of the checks says so.
    if (spool.db.condition.lacking.length > 0) return redact(lines.join('\n'), config)
    const grants = new Map((await describeGrants(spool)).map((grant) => [grant.inboxId, grant]))
    for (const [index, inbox] of (await listInboxSettings(spool)).entries()) {
      const { imap, smtp, sync, signIn } = inbox
      const place = (server: typeof imap): string =>
        server === null ? 'none' : `${server.host}:${server.port} (${server.security})`
      lines.push('', `Inbox ${index + 1}: ${inbox.address}`)
      lines.push(`  IMAP ${place(imap)}, ${inbox.sendsByGraph ? 'Graph' : 'SMTP'} ${place(smtp)}`)
      if (sync) lines.push(`  sync: ${sync.state}${sync.error ? `: ${sync.error.message}` : ''}`)
      const grant = grants.get(inbox.id)
      if (!signIn || !grant) continue
      lines.push(
        `  sign-in: ${signIn.provider}, ${signIn.way}, as ${signIn.account}, at ${grant.issuer}`,
        `  scopes: ${grant.scopes.join(' ')}`,
        `  granted ${grant.grantedAt}, renewed ${grant.renewals} times, token until ${grant.endsAt ?? 'unknown'}`,
        signIn.failure === null
          ? '  the provider accepts it'
          : `  refused ${grant.failedAt ?? ''}: ${signIn.failure}`,
      )
    }
  } catch (error) {
    lines.push('', `The store cannot be read: ${(error as Error).message}`)
  }
  return redact(lines.join('\n'), config)
}

/** Keeps only the domain of an address; removes secrets, paths and passwords in URLs. */
function redact(text: string, { secret, dataFolder, databaseUrl, redisUrl, oauthClients }: Config): string {
  const secrets = [
    secret,
    databaseUrl,
    redisUrl,
    ...Object.values(oauthClients).map((client) => client?.clientSecret ?? null),
  ]
  let shown = text.replaceAll(dataFolder, 'SPOOL_DATA')
  for (const each of secrets) if (each !== null) shown = shown.replaceAll(each, '…')
  return shown
    .replaceAll(/[^\s<>"'(),;:@]+@(?=[\p{L}\p{N}.-]+\.)/gu, '…@')
    .replaceAll(/[A-Za-z0-9_\-~+/]{40,}/g, '…')
}
