import { Command, CommanderError } from 'commander'
import { StoreUnavailable, SpoolError } from '../model/errors.ts'
import packageJson from '../../package.json' with { type: 'json' }
import type { Environment } from './command.ts'

/** They start without the other commands, which load the readers of mail, the demo's letters and more. */
const quickCommands = new Map<string | undefined, () => Promise<AddCommand>>([
  ['serve', async () => (await import('./serve.ts')).addServe],
  ['mcp', async () => (await import('./mcp.ts')).addMcp],
])

type AddCommand = (program: Command, environment: Environment) => void

/** Answers the exit code: 0 done, 1 failed with a sentence on standard error, 2 wrong usage. */
export async function runCommand(words: readonly string[], environment: Environment): Promise<number> {
  const program = new Command('spool')
    .description('A self-hosted team inbox that programs read and people answer.')
    .version(packageJson.version)
    .showHelpAfterError('Add --help for what it takes.')
    .exitOverride()
  const alone = quickCommands.get(words[0])
  const commands = alone ? [await alone()] : (await import('./commands.ts')).commands
  for (const addTo of commands) addTo(program, environment)
  inheritExit(program)
  try {
    await program.parseAsync(words, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    process.stderr.write(`${sentence(error)}\n`)
    return 1
  }
}

/** Commander passes these settings on to subcommands only when they are made afterwards. */
function inheritExit(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command)
    inheritExit(child)
  }
}

function sentence(error: unknown): string {
  if (error instanceof StoreUnavailable) {
    const cause = (error.cause as { message?: string } | undefined)?.message
    return cause ? `${error.message} (${cause.split('\n')[0]})` : error.message
  }
  if (error instanceof SpoolError) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `The port is taken already: another server listens there. SPOOL_PORT chooses another. (${message})`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `SPOOL_HOST must be an address of this machine, such as 127.0.0.1 or 0.0.0.0. (${message})`
  if (code === 'ENOENT') return `There is no such file or folder. (${message})`
  if (code === 'EACCES') return `This may not be read or written by this user. (${message})`
  return `It failed: ${message}`
}
