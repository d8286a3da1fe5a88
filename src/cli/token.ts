import { InvalidArgumentError, type Command } from 'commander'
import { createToken, listTokens, revokeToken } from '../core/tokens/tokens.ts'
import { scopes, type Scope } from '../model/access.ts'
import { toTimeOrNull } from '../model/time.ts'
import { choices, collect, print, table, withJson, type Environment } from './command.ts'
import { withSpool } from './spool.ts'

const day = 86_400_000
const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: day }

/** `90d` or `12h` in milliseconds. */
function readLifetime(text: string): number | 'never' {
  // Commander turns an empty text into null, so null cannot mean "never" here.
  if (text === 'never') return text
  const match = /^(\d{1,9})([smhd])$/.exec(text)
  if (!match) throw new InvalidArgumentError('Write it like 90d, 12h, 30m, 60s or never.')
  return Number(match[1]) * units[match[2]!]!
}

interface CreateOptions {
  user: string
  name: string
  scope: Scope[]
  inbox?: string[]
  expires?: number | 'never'
  json?: boolean
}

export function addTokenCommands(program: Command, environment: Environment): void {
  const token = program.command('token').description('personal access tokens, for programs and agents')

  withJson(token.command('create').description('create a token; it is shown only once'))
    .requiredOption('--user <email>', 'the user it acts for')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scope <scope...>', scopes.join(', '), choices(scopes))
    .option('--inbox <address>', 'narrow it to an inbox; can be repeated', collect)
    .option('--expires <time>', 'such as 90d, the default; at most 365d, or never', readLifetime)
    .action(async (options: CreateOptions) => {
      const { user, name, scope, inbox = [], expires = 90 * day } = options
      const lifetime = expires === 'never' ? null : expires
      const made = await withSpool(environment, (spool) =>
        createToken(spool, { email: user, name, scopes: scope, inboxes: inbox, lifetime }),
      )
      const expiresAt = toTimeOrNull(made.expiresAt)
      print(
        options,
        { ...made, expiresAt },
        `${made.token}\nShown only once. ${made.id}, expires ${expiresAt ?? 'never'}.`,
      )
    })

  withJson(
    token
      .command('list')
      .description('who has which, what they may do, until when, and when they were last used')
      .option('--user <email>', 'only theirs'),
  ).action(async (options: { user?: string; json?: boolean }) => {
    const tokens = await withSpool(environment, (spool) => listTokens(spool, options.user ?? null))
    const rows = tokens.map(({ id, userId, email, name, scopes, createdAt, expiresAt, lastUsedAt }) => ({
      id,
      userId,
      user: email,
      name,
      scopes,
      createdAt: toTimeOrNull(createdAt),
      expiresAt: toTimeOrNull(expiresAt),
      lastUsedAt: toTimeOrNull(lastUsedAt),
    }))
    const cells = rows.map((row) => [
      row.id,
      row.user,
      row.name,
      row.scopes.join(' '),
      row.expiresAt ?? 'never',
      row.lastUsedAt ?? 'not used',
    ])
    print(options, rows, table(cells, ['ID', 'USER', 'NAME', 'SCOPES', 'EXPIRES', 'LAST USED']))
  })

  withJson(
    token
      .command('revoke')
      .description('refused everywhere from now on')
      .argument('<id>', "the token's id, from token list"),
  ).action(async (id: string, options: { json?: boolean }) => {
    await withSpool(environment, (spool) => revokeToken(spool, id))
    print(options, { revoked: id }, `Revoked ${id}.`)
  })
}
