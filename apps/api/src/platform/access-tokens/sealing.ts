import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Keeps short secrets in the database, readable with the site's secret alone (AES-256-GCM). */
export type Sealing = {
  seal(text: string): string
  /** The text, or null when it was sealed with another secret or altered. */
  open(sealed: string): string | null
}

export function createSealing(secret: string, purpose: string): Sealing {
  const key = createHmac('sha256', secret).update(`sealing ${purpose}`).digest()
  return {
    seal(text) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.byteLength < ivBytes + tagBytes) return null
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes))
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      try {
        return Buffer.concat([
          decipher.update(bytes.subarray(ivBytes + tagBytes)),
          decipher.final(),
        ]).toString()
      } catch {
        return null
      }
    },
  }
}
