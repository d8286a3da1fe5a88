import { createCipheriv, createDecipheriv, hash, randomBytes, type KeyObject } from 'node:crypto'
import { SpoolError } from '../../model/errors.ts'
import type { Tx } from '../../store/db.ts'
import { readSetting } from '../../store/settings.ts'
import type { Spool } from '../spool.ts'

/**
 * Encrypts what is about to be stored. Throws if the store's secret was changed since this process started: the next
 * one could not read what it writes.
 */
export async function sealSecret(
  { keys }: Pick<Spool, 'keys'>,
  db: Tx,
  context: string,
  secret: string,
): Promise<Buffer> {
  if ((await readSetting(db, 'secret_check')) !== keys.check) throw new SpoolError('conflict', secretChanged)
  return encryptSecret(keys.secrets, context, secret)
}

export const secretChanged =
  'The secret of this store was changed while this ran: stop it, and start it with the new secret.'

/** What is stored in place of something encrypted with a secret that was lost: it has to be entered again. */
export const forgotten: Uint8Array = Buffer.alloc(0)

export function isForgotten(encrypted: Uint8Array): boolean {
  return encrypted.length === 0
}

/** Whether it has to be entered again: forgotten, or damaged. */
export function isReadable({ keys }: Pick<Spool, 'keys'>, context: string, encrypted: Uint8Array): boolean {
  try {
    decryptSecret(keys.secrets, context, encrypted)
    return true
  } catch {
    return false
  }
}

/** What a stored secret becomes when the secret of the store changes. */
export type Reseal = (context: string, encrypted: Uint8Array) => Uint8Array

/** AES-256-GCM. `context` names the row a secret belongs to, so that it cannot be moved to another row. */
export function encryptSecret(key: KeyObject, context: string, secret: string): Buffer {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

export function decryptSecret(key: KeyObject, context: string, encrypted: Uint8Array): string {
  const bytes = Buffer.from(encrypted)
  if (isForgotten(bytes))
    throw new SpoolError(
      'conflict',
      `What was stored for ${context} was lost with the secret of this store; enter the password or secret again.`,
    )
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), {
      authTagLength: tagLength,
    })
    decipher.setAAD(Buffer.from(context))
    decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
    return Buffer.concat([
      decipher.update(bytes.subarray(nonceLength + tagLength)),
      decipher.final(),
    ]).toString('utf8')
  } catch (error) {
    throw new SpoolError(
      'conflict',
      `The value stored for ${context} cannot be decrypted; enter the password or secret again.`,
      { cause: error },
    )
  }
}

/** What the store keeps of a random secret, whose holder shows it again. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

const nonceLength = 12
const tagLength = 16
