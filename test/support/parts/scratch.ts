import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Socket } from 'node:net'

/**
 * Briefly outlives this process, however that ends: when the pipe closes, even after SIGKILL, the reaper kills the
 * registered daemons and removes the folder.
 */
const reaper = `
trap '' HUP INT TERM
daemons=
while read -r word daemon; do
  case $word in
    started) daemons="$daemons $daemon" ;;
    ended) kept=
      for one in $daemons; do [ "$one" = "$daemon" ] || kept="$kept $one"; done
      daemons=$kept ;;
  esac
done
for daemon in $daemons; do kill -s "\${daemon#*:}" "\${daemon%:*}"; done
case $daemons in *:QUIT*) sleep 0.5 ;; esac
for daemon in $daemons; do kill -s KILL -- "-\${daemon%:*}"; done
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf -- "$0" && exit 0
  sleep 0.2
done`

/** PostgreSQL frees its shared memory on SIGQUIT. The other daemons need no clean shutdown. */
export type QuitSignal = 'SIGQUIT' | 'SIGKILL'

interface Scratch {
  root: string
  tell(word: 'started' | 'ended', pid: number, signal: QuitSignal): void
}

let scratch: Scratch | undefined

/** One scratch folder per process. Everything in it is removed when the process ends. */
function openScratch(): Scratch {
  if (scratch) return scratch
  const root = mkdtempSync(join(tmpdir(), 'spool-test-'))
  // Daemons run as a user other than root and must be able to traverse it.
  chmodSync(root, 0o711)
  const child = spawn('sh', ['-c', reaper, root], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.unref()
  const pipe = child.stdin as Socket
  pipe.unref()
  scratch = { root, tell: (word, pid, signal) => void pipe.write(`${word} ${pid}:${signal.slice(3)}\n`) }
  return scratch
}

export function scratchFolder(name: string): string {
  const folder = mkdtempSync(join(openScratch().root, `${name}-`))
  chmodSync(folder, 0o711)
  return folder
}

/** For whole runs: files that child processes create under `os.tmpdir()` are removed too. */
export function scratchTmpdir(): string {
  const folder = join(openScratch().root, 'tmp')
  mkdirSync(folder)
  chmodSync(folder, 0o1777)
  return folder
}

export function noteStarted(pid: number, signal: QuitSignal): void {
  openScratch().tell('started', pid, signal)
}

export function noteEnded(pid: number, signal: QuitSignal): void {
  openScratch().tell('ended', pid, signal)
}
