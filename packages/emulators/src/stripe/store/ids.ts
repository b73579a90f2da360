import { createHmac, generateKeySync } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const usualLength = 24

/** How long ids are after their prefix, where they are not as long as usual. A coupon's has no prefix. */
const lengths: Record<string, number> = { '': 8, cus: 14, prod: 14, req: 14, cs_test: 58 }

/** A new key for ids, in Base64. */
export function newIdKey(): string {
  return generateKeySync('hmac', { length: 256 }).export().toString('base64')
}

/** The id of this number: another one for each number, and nobody guesses it without the key. */
export function idOf(prefix: string, number: number, key: string): string {
  const bytes = createHmac('sha512', key).update(`${prefix} ${number}`).digest()
  const characters = Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')
  const body = characters.slice(0, lengths[prefix] ?? usualLength)
  return prefix ? `${prefix}_${body}` : body.toUpperCase()
}
