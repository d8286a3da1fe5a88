import { pino, type DestinationStream, type Logger } from 'pino'
import type { Config } from '../config.ts'

/** JSON, one object per line; on a terminal, lines for people to read. */
export function makeLog(config: Config): Logger {
  const destination = gatherLines(pino.destination({ sync: false }))
  return pino(
    { level: config.logLevel },
    process.stdout.isTTY ? { write: (line) => destination.write(describeLine(line)) } : destination,
  )
}

/** Batches lines logged close together into one write: with a write per line, logging costs more than serving. */
function gatherLines(destination: DestinationStream): DestinationStream {
  let lines = ''
  const flush = (): void => {
    destination.write(lines)
    lines = ''
  }
  return {
    write(line) {
      if (lines === '') setTimeout(flush, 50)
      lines += line
    },
  }
}

/** For example: `09:30:00 info   request completed  method=GET status=200`. */
export function describeLine(line: string): string {
  const { level, time, msg = '', pid: _pid, hostname: _host, ...rest } = JSON.parse(line) as LogLine
  const at = new Date(time).toTimeString().slice(0, 8)
  const details = Object.entries(rest).map(([name, value]) => `${name}=${describeValue(value)}`)
  return `${[at, (pino.levels.labels[level] ?? '').padEnd(5), msg.replaceAll(/\p{Cc}+/gu, ' '), ...details].join(' ').trimEnd()}\n`
}

interface LogLine extends Record<string, unknown> {
  level: number
  time: number
  msg?: string
}

/** Quoted where it could be read as more than one value, or has control characters, which would reach the terminal. */
function describeValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[\x21-\x7e]+$/.test(text) && !/["=]/.test(text) ? text : JSON.stringify(text)
}
