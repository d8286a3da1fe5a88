import { pino, type DestinationStream, type Logger } from 'pino'
import type { Config } from '../config.ts'

export function makeLog(config: Config): Logger {
  return pino({ level: config.logLevel }, gatherLines(pino.destination({ sync: false })))
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
