import type { Command } from 'commander'
import { addUser, changeUser, listPeople, removeUser } from '../core/people/people.ts'
import { SpoolError } from '../model/errors.ts'
import type { Revoked } from '../model/settings.ts'
import { roles, type Role, type User } from '../model/access.ts'
import {
  choice,
  collect,
  count,
  print,
  readSecretLine,
  table,
  withJson,
  type Environment,
} from './command.ts'
import { withSpool } from './spool.ts'

interface UserOptions {
  name?: string
  role?: Role
  inbox?: string[]
  passwordStdin?: boolean
  json?: boolean
}

export function addUserCommands(program: Command, environment: Environment): void {
  const user = program.command('user').description('the people of the team')
  const described = (command: Command): Command =>
    withJson(command)
      .argument('<email>')
      .option('--role <role>', roles.join(', '), choice(roles))
      .option('--inbox <address>', 'an inbox they see; can be repeated', collect)
      .option('--password-stdin', 'read the password from standard input')

  described(user.command('add').description('they can sign in once they have a password'))
    .requiredOption('--name <name>', 'as others see it')
    .action(async (email: string, options: UserOptions & { name: string }) => {
      const password = options.passwordStdin ? await readSecretLine() : null
      const { name, role = 'member', inbox = [] } = options
      const added = await withSpool(
        environment,
        (spool) => addUser(spool, { email, name, role, inboxes: inbox, password }),
        { absent: 'make' },
      )
      const missing = describeMissing(added, password !== null, inbox.length > 0)
      print(
        options,
        outward(added),
        [`Added ${added.name} <${added.email}>, ${added.role} (${added.id}).`, ...missing].join('\n'),
      )
    })

  withJson(user.command('list').description('who there is, and what they see')).action(
    async (options: { json?: boolean }) => {
      const people = await withSpool(environment, listPeople)
      print(
        options,
        people.map((each) => ({ ...outward(each), inboxes: each.inboxes })),
        table(
          people.map(({ id, email, name, role, inboxes }) => [id, email, name, role, inboxes.join(' ')]),
          ['ID', 'EMAIL', 'NAME', 'ROLE', 'INBOXES'],
        ),
      )
    },
  )

  described(user.command('set').description('change name, role, inboxes or password'))
    .option('--name <name>', 'as others see it')
    .option('--keep-tokens', 'with a new password: keep their tokens and webhooks')
    .action(async (email: string, options: UserOptions & { keepTokens?: boolean }) => {
      const { name, role, inbox, keepTokens = false } = options
      if (keepTokens && !options.passwordStdin)
        throw new SpoolError(
          'bad_parameter',
          '--keep-tokens needs --password-stdin; add it, or leave both out.',
        )
      const { user: changed, revoked } = await withSpool(environment, async (spool) =>
        changeUser(spool, email, {
          ...(name === undefined ? {} : { name }),
          ...(role === undefined ? {} : { role }),
          ...(inbox === undefined ? {} : { inboxes: inbox }),
          ...(options.passwordStdin ? { password: await readSecretLine(), keepAccess: keepTokens } : {}),
        }),
      )
      const said = `Changed ${changed.name} <${changed.email}>, ${changed.role}.`
      print(
        options,
        { ...outward(changed), ...(revoked ? { revoked } : {}) },
        revoked ? `${said} ${whatEnded(revoked, keepTokens)}` : said,
      )
    })

  withJson(user.command('remove').argument('<email>')).action(
    async (email: string, options: { json?: boolean }) => {
      await withSpool(environment, (spool) => removeUser(spool, email))
      print(
        options,
        { removed: email },
        `Removed ${email}: their tokens are refused from now on; the name stays in the history.`,
      )
    },
  )
}

/** Sentences for what keeps a new person from working. Admins see all inboxes. */
function describeMissing({ email, role }: User, hasPassword: boolean, hasInbox: boolean): string[] {
  return [
    ...(hasPassword ? [] : [`They cannot sign in yet: spool user set ${email} --password-stdin`]),
    ...(hasInbox || role === 'admin'
      ? []
      : [`They see no inbox yet: spool user set ${email} --inbox ADDRESS`]),
  ]
}

/** A new password revokes access, because somebody may have known the old one. */
function whatEnded({ tokens, webhooks }: Revoked, kept: boolean): string {
  if (kept) return 'Signed out everywhere; their tokens and webhooks stay valid.'
  return `Signed out everywhere; ${count(tokens, 'token')} revoked, ${count(webhooks, 'webhook')} disabled.`
}

function outward({ id, email, name, role }: User): User {
  return { id, email, name, role }
}
