import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto'
import { SpoolError } from '../../model/errors.ts'

/** AES-256-GCM. `place` says where the secret belongs (a row's name), so that one cannot be moved to stand in another's place. */
export function encryptSecret(key: KeyObject, place: string, secret: string): Buffer {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

export function decryptSecret(key: KeyObject, place: string, encrypted: Uint8Array): string {
  const bytes = Buffer.from(encrypted)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), {
      authTagLength: tagLength,
    })
    decipher.setAAD(Buffer.from(place))
    decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
    return Buffer.concat([
      decipher.update(bytes.subarray(nonceLength + tagLength)),
      decipher.final(),
    ]).toString('utf8')
  } catch (error) {
    throw new SpoolError(
      'conflict',
      `What is stored for ${place} cannot be decrypted; enter that password or secret again.`,
      { cause: error },
    )
  }
}

const nonceLength = 12
const tagLength = 16
