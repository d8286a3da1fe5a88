import { accessSync, constants, readFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { SpoolError } from '../model/errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Default configuration files, used if SPOOL_CONFIG is not set; the first that exists is read. */
const usualFiles = ['spool.env', '/etc/spool/spool.env']

/** Merges the settings of the configuration file, if any, with the environment. The environment takes precedence. */
export function withConfigFile(environment: Environment): Environment {
  const file = findConfigFile(environment)
  return file === null ? environment : { ...parseSettings(file), ...definedIn(environment) }
}

interface ConfigFile {
  path: string
  text: string
}

function findConfigFile({ SPOOL_CONFIG: named }: Environment): ConfigFile | null {
  if (named) {
    const path = resolve(named)
    return { path, text: readSettings(path) ?? refuse(path, 'does not exist') }
  }
  for (const name of usualFiles) {
    const path = resolve(name)
    if (!isAbsolute(name) && isClosed(dirname(path))) continue
    const text = readSettings(path)
    if (text !== null) return { path, text }
  }
  return null
}

/** With sudo the working folder is often in another user's home, which this user cannot look into. */
function isClosed(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return false
  } catch {
    return true
  }
}

function readSettings(path: string): string | null {
  try {
    // Some editors begin a file with a mark, which would become part of the first name.
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (code === 'EISDIR') return refuse(path, 'is a folder')
    return refuse(path, `cannot be read by this user (${code})`)
  }
}

function refuse(path: string, why: string): never {
  throw new SpoolError(
    'bad_parameter',
    `The configuration file ${path} ${why}; SPOOL_CONFIG can name another.`,
  )
}

/** One setting per line. Errors do not quote a bad line, because it may contain a secret. */
function parseSettings({ path, text }: ConfigFile): Record<string, string> {
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    if (!/^\s*(?:export\s+)?SPOOL_[A-Z0-9_]+\s*=/.test(line))
      throw new SpoolError(
        'bad_parameter',
        `Line ${at + 1} of ${path} is no setting: each line is SPOOL_NAME=value, or a comment that begins with #.`,
      )
    // The value would be cut there, and nobody would see that of a password.
    const value = line.slice(line.indexOf('=') + 1).trim()
    if (/^[^"'`#][^#]*#/.test(value) && /^[^#]*[^#\s]#/.test(value))
      throw new SpoolError(
        'bad_parameter',
        `Line ${at + 1} of ${path} has a # in its value: put the value in quotes, or a space before a comment.`,
      )
  }
  return parseEnv(text) as Record<string, string>
}

/** A variable that is set but empty counts as not set, as everywhere. */
function definedIn(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()))
}
