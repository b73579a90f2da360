import { createHash, randomBytes, randomUUID } from 'node:crypto'

const base36 = 'abcdefghijklmnopqrstuvwxyz0123456789'
const base62 = `ABCDEFGHIJKLMNOPQRSTUVWXYZ${base36}`

export type Ids = typeof randomIds

/** Random names and secrets, injected where a feature creates them. */
export const randomIds = {
  uuid: (): string => randomUUID(),
  /** Returns an id of the wire protocol: the prefix, `_`, and 24 letters and digits. */
  public: (prefix: string) => `${prefix}_${randomText(24, base36)}`,
  /** Returns a name that cannot be guessed: 26 lower-case letters and digits. */
  name: () => randomText(26, base36),
  /** Returns a secret of 256 random bits, in base64url. */
  secret: () => randomBytes(32).toString('base64url'),
  /** Returns a secret of letters of both cases and digits. */
  alphanumeric: (length: number) => randomText(length, base62),
}

/** Returns the SHA-256 of a text or bytes in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Returns the least UUID, version 7, of an instant. Ids that the database makes grow with time. */
export function firstUuidAt(instant: Date): string {
  const digits = Math.max(0, instant.getTime()).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`
}

/** Returns the UUID, version 8, that is derived from these texts. */
export function uuidOf(...texts: [string, ...string[]]): string {
  const digits = sha256(JSON.stringify(texts))
  // RFC 9562: two bits of this digit are the variant.
  const variant = '89ab'.charAt(Number.parseInt(digits.charAt(16), 16) % 4)
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
  ]
  return [...groups, digits.slice(20, 32)].join('-')
}

// Rejects bytes past the largest multiple of the alphabet, so that all letters are equally likely.
function randomText(length: number, alphabet: string): string {
  const bound = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < bound && text.length < length) text += alphabet.charAt(byte % alphabet.length)
    }
  }
  return text
}
