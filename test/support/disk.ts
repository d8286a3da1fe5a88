import { execFileSync } from 'node:child_process'
import { scratchFolder } from './parts/scratch.ts'

export interface Disk extends Disposable {
  folder: string
  /** `ro`: nothing can be written any more; nobody may have a file open for that. */
  remount(mode: 'ro' | 'rw'): void
}

/** A small disk in memory, or why there can be none. */
export function mountDisk(size: string): Disk | string {
  if (process.getuid?.() !== 0) return 'only root may mount a small disk'
  const folder = scratchFolder('disk')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', folder], { stdio: 'pipe' })
  } catch {
    return 'a small disk cannot be mounted here'
  }
  return {
    folder,
    remount: (mode) => void execFileSync('mount', ['-o', `remount,${mode}`, folder], { stdio: 'pipe' }),
    [Symbol.dispose]: () => void execFileSync('umount', ['-l', folder]),
  }
}
