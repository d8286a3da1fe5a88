import { text } from 'node:stream/consumers'
import { InvalidArgumentError, type Command } from 'commander'
import { findUnknownVariables } from '../config.ts'
import { StoreUnavailable } from '../model/errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Every command can print exactly one JSON value to standard output. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON value')
}

export function print(options: { json?: boolean }, value: unknown, text: string): void {
  process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : text === '' ? '' : `${text}\n`)
}

/** A mistyped SPOOL_DATA would otherwise silently use another store. */
export function warnOfTypos(environment: Environment): void {
  for (const sentence of findUnknownVariables(environment)) process.stderr.write(`${sentence}\n`)
}

/** Of a store that cannot be used, with what the database itself said; of a file, which one and why. */
export function describeError(error: Error): string {
  const { message: cause } = (error instanceof StoreUnavailable && (error.cause as Error | undefined)) || {}
  if (cause) return `${error.message} (${cause.split('\n')[0]})`
  const { path } = error as NodeJS.ErrnoException
  return (path === undefined ? null : describeFileTrouble(error)) ?? error.message
}

/** Null if the error is of another kind. */
export function describeFileTrouble(error: NodeJS.ErrnoException & { dest?: string }): string | null {
  // Of a copy or a link `path` is what is read, and `dest` what is written.
  const { code, path = 'It', dest = path } = error
  if (code === 'ENOENT') return `There is no file or folder ${path}; check the path.`
  if (code === 'EACCES') return `${path} cannot be read or written by this user; check its owner and mode.`
  if (code === 'EROFS') return `${dest} cannot be written: its disk is mounted read-only.`
  if (code === 'ENOSPC') return `${dest} cannot be written: its disk is full.`
  if (code === 'EEXIST') return `${dest} already exists; choose another name or move it away.`
  if (code === 'EISDIR') return `${path} is a folder; name a file.`
  return null
}

export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value]
}

export function choice<Value extends string>(values: readonly Value[]): (text: string) => Value {
  return (text) => {
    const value = values.find((known) => known === text)
    if (!value) throw new InvalidArgumentError(`It must be one of ${values.join(', ')}.`)
    return value
  }
}

/** For an option that can be repeated and takes comma lists. */
export function choices<Value extends string>(
  values: readonly Value[],
): (text: string, previous?: Value[]) => Value[] {
  return (text, previous = []) => [...previous, ...text.split(',').map(choice(values))]
}

export type OpenDays = number | 'all'

/** Not null for `all`: Commander turns a null into an empty text. */
export function readOpenDays(text: string): OpenDays {
  if (text === 'all') return text
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('It must be a number of days, or all.')
  return Number(text)
}

/** Secrets come by standard input: arguments are visible to everyone on the machine. */
export async function readSecretLine(): Promise<string> {
  const input = await text(process.stdin)
  return input.replace(/\r?\n$/, '')
}

/** For example: 1 message, 2 messages. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Prints the header only if there are rows. */
export function table(
  found: readonly (readonly string[])[],
  header: readonly string[] | null = null,
): string {
  const rows = header === null || found.length === 0 ? found : [header, ...found]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
