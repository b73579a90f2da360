import { createHash, randomBytes, randomUUID } from 'node:crypto'

const base36 = 'abcdefghijklmnopqrstuvwxyz0123456789'
const base62 = `ABCDEFGHIJKLMNOPQRSTUVWXYZ${base36}`

/** Random names and secrets. Handed in where a feature makes them. */
export type Ids = {
  /** A random UUID, version 4. */
  uuid(): string
  /** A file name that cannot be guessed: 26 letters and digits and `.jpg`. */
  pictureFile(): string
  /** What something is called on the wire: `mem_` and 24 letters and digits, for one. */
  public(prefix: 'mem' | 'con' | 'cmt' | 'grp'): string
  /** A name of 26 letters and digits, for a visit or a key. */
  name(): string
  /** A secret that travels: 43 characters of base64url, 256 random bits. */
  secret(): string
  /** A new editor key: `tdk_` and 40 letters and digits. */
  editorKey(): string
}

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  pictureFile: () => `${randomText(26, base36)}.jpg`,
  public: (prefix) => `${prefix}_${randomText(24, base36)}`,
  name: () => randomText(26, base36),
  secret: () => randomBytes(32).toString('base64url'),
  editorKey: () => `tdk_${randomText(40, base62)}`,
}

/** The SHA-256 of a text or bytes, as 64 hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** A UUID, version 8, made of texts: the same for the same ones, another for any other. */
export function uuidOf(...texts: [string, ...string[]]): string {
  const digits = sha256(JSON.stringify(texts))
  // Two bits of this digit say which kind of UUID it is.
  const variant = '89ab'.charAt(Number.parseInt(digits.charAt(16), 16) % 4)
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
  ]
  return [...groups, digits.slice(20, 32)].join('-')
}

// Bytes past the largest multiple of the alphabet are thrown away, so every letter is equally likely.
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
