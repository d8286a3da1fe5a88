import { statSync, type Stats } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { SpoolError } from '../model/errors.ts'

/**
 * Continues as the user whom the data folder belongs to, if this is root: that user's server could not open what root
 * makes there. For good, before anything in the folder is opened.
 */
export function becomeOwner({ dataFolder }: Pick<Config, 'dataFolder'>): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = findOwner(dataFolder)
  if (uid === 0) return
  try {
    takeGroups(uid, gid)
    process.setgid!(gid)
    process.setuid!(uid)
  } catch (error) {
    throw new SpoolError(
      'forbidden',
      `${dataFolder} belongs to the user ${uid}, who could not open what root makes there. Run this as that user: sudo -u '#${uid}' spool …`,
      { cause: error },
    )
  }
  process.stderr.write(`Running as ${nameOf(uid)}, to whom ${dataFolder} belongs.\n`)
}

/** Of the store, else of the folder, else of the nearest folder above it. */
function findOwner(folder: string): Stats {
  const nearest = (path: string): Stats => statIfThere(path) ?? nearest(dirname(path))
  return statIfThere(join(folder, 'spool.db')) ?? nearest(folder)
}

function statIfThere(path: string): Stats | null {
  try {
    return statSync(path)
  } catch (error) {
    if (path === dirname(path)) throw error
    return null
  }
}

function takeGroups(uid: number, gid: number): void {
  try {
    // Missing in the types.
    ;(process as NodeJS.Process & { initgroups(user: number, group: number): void }).initgroups(uid, gid)
  } catch {
    // A user without an account, as in containers.
    process.setgroups!([gid])
  }
}

function nameOf(uid: number): string {
  try {
    return userInfo().username
  } catch {
    return `user ${uid}`
  }
}
