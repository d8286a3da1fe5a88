import { createCipheriv, createDecipheriv, hash, randomBytes, type KeyObject } from 'node:crypto'
import { SpoolError } from '../../model/errors.ts'

/** AES-256-GCM. `context` names the row a secret belongs to, so that it cannot be moved to another row. */
export function encryptSecret(key: KeyObject, context: string, secret: string): Buffer {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

export function decryptSecret(key: KeyObject, context: string, encrypted: Uint8Array): string {
  const bytes = Buffer.from(encrypted)
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
