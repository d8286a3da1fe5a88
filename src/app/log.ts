import { pino, type DestinationStream, type Logger } from 'pino'
import type { Config } from '../config.ts'

export function makeLog(config: Config): Logger {
  return pino({ level: config.logLevel }, gatherLines(pino.destination({ sync: false })))
}

/** Lines that come close together go out in one write: with one for each, the log costs more than the answers. */
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
