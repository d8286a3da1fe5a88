import { execFileSync } from 'node:child_process'
import { scratchFolder } from './parts/scratch.ts'

export interface Disk extends Disposable {
  folder: string
  /** `ro`: makes the disk read-only. No file on it may be open for writing then. */
  remount(mode: 'ro' | 'rw'): void
}

/** Mounts a small in-memory disk, or returns the reason why that is not possible. */
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
