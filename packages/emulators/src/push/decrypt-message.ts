import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto'

export type SubscriptionKeys = { keyPair: ECDH; auth: Buffer }

const headerBytes = 21
const publicKeyBytes = 65
const tagBytes = 16

/** Decrypts the body of a push message (RFC 8291, one record of aes128gcm). Throws if it is invalid. */
export function decryptMessage(body: Buffer, { keyPair, auth }: SubscriptionKeys): string {
  const salt = body.subarray(0, 16)
  const idBytes = body.readUInt8(20)
  if (idBytes !== publicKeyBytes) throw new Error('The key id must be the public key of the sender.')
  const senderKey = body.subarray(headerBytes, headerBytes + idBytes)
  const record = body.subarray(headerBytes + idBytes)
  if (record.length > body.readUInt32BE(16)) throw new Error('The message must be one record.')
  const secret = keyPair.computeSecret(senderKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keyPair.getPublicKey(), senderKey])
  const inputKey = hkdf(secret, auth, info, 32)
  const contentKey = hkdf(inputKey, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = hkdf(inputKey, salt, 'Content-Encoding: nonce\0', 12)
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce)
  decipher.setAuthTag(record.subarray(-tagBytes))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -tagBytes)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('The last record must end with the delimiter 2.')
  return padded.subarray(0, end).toString('utf8')
}

function hkdf(key: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, bytes))
}
