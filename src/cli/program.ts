import { Command, CommanderError } from 'commander'
import { withConfigFile } from '../config/file.ts'
import { SpoolError } from '../model/errors.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { describeError, describeFileTrouble, type Environment } from './command.ts'
import { commands } from './commands.ts'

/** Returns the exit code: 0 done, 1 failed with a sentence on standard error, 2 wrong usage. */
export async function runCommand(args: readonly string[], environment: Environment): Promise<number> {
  const program = new Command('spool')
    .description('A self-hosted team inbox that programs read and people answer.')
    .version(packageJson.version)
    .showHelpAfterError('Add --help for what it takes.')
    .configureHelp({
      optionDescription: ({ description, mandatory }) => description + (mandatory ? ' (required)' : ''),
    })
    .addHelpText('after', `\n${footer}`)
    .exitOverride()
  try {
    const wanted = commandsFor(args[0] ?? '')
    const settings = readsFile(args[0], environment) ? withConfigFile(environment) : environment
    for (const load of wanted) (await load())(program, settings)
    inheritExit(program)
    preferTypos(program, args)
    await program.parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    process.stderr.write(`${sentence(error)}\n`)
    return 1
  }
}

/**
 * An agent's bridge must hold nothing but its token. The demo on a team's machine must not take the team's settings: it
 * would answer for its mail server, under its address.
 */
function readsFile(command: string | undefined, { SPOOL_CONFIG: named }: Environment): boolean {
  return command !== 'mcp' && (command !== 'demo' || Boolean(named))
}

/** Loading all commands takes a second, so it happens only to list them or to report an unknown one. */
function commandsFor(first: string): (typeof commands)[string][] {
  if (['--version', '-V'].includes(first)) return []
  return Object.hasOwn(commands, first) ? [commands[first]!] : Object.values(commands)
}

const footer = `"spool COMMAND --help" says more. Spool works on the store that SPOOL_DATA (a folder, ./data without it) or
SPOOL_DATABASE_URL names, also beside a running server; docs/running.md lists all variables. In a checkout "spool" is
"npm run -s spool --"; once a terminal: alias spool='npm run -s spool --'`

/** Commander passes these settings to subcommands only if they were set before. */
function inheritExit(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command)
    inheritExit(child)
  }
}

/** Commander reports missing options first; a mistyped option must be reported instead. */
function preferTypos(program: Command, args: readonly string[]): void {
  let command = program
  for (const arg of args) command = command.commands.find((child) => child.name() === arg) ?? command
  const options = new Map(command.options.map((option) => [option.long, option]))
  const isUnknown = (arg: string, index: number): boolean =>
    /^--[a-z]/.test(arg) &&
    !options.has(arg.replace(/=.*/s, '')) &&
    arg !== '--help' &&
    !options.get(args[index - 1] ?? '')?.required
  if (args.some(isUnknown)) for (const option of command.options) option.mandatory = false
}

function sentence(error: unknown): string {
  if (error instanceof SpoolError) return describeError(error)
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `The port is already in use by another program; choose another with SPOOL_PORT. (${message})`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `SPOOL_HOST must be an address of this machine, such as 127.0.0.1 or 0.0.0.0. (${message})`
  if (code === 'EACCES' && syscall === 'listen')
    return `SPOOL_PORT names a port that this user may not bind, such as one below 1024; choose another, or forward that one. (${message})`
  return describeFileTrouble(error as Error) ?? `It failed: ${message}`
}
