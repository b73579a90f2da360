import { createHmac, generateKeySync } from 'node:crypto'
import type { Settings } from './settings.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const usualLength = 24

/** The length of ids after their prefix, if it is not the usual one. Coupons have no prefix. */
const lengths: Record<string, number> = { '': 8, cus: 14, prod: 14, req: 14, cs_test: 58 }

/** Returns a function that creates ids, which continues across restarts. */
export function createIds(settings: Settings): (prefix: string) => string {
  const keptKey: unknown = JSON.parse(settings.get('id-key') ?? 'null')
  const key = typeof keptKey === 'string' ? keptKey : newKey()
  settings.set('id-key', key)
  let count = Number(settings.get('id-count') ?? 0)
  return (prefix) => {
    count += 1
    settings.set('id-count', count)
    return idOf(prefix, count, key)
  }
}

function newKey(): string {
  return generateKeySync('hmac', { length: 256 }).export().toString('base64')
}

/** Returns the id of a number. Ids can't be guessed without the key. */
function idOf(prefix: string, number: number, key: string): string {
  const bytes = createHmac('sha512', key).update(`${prefix} ${number}`).digest()
  const characters = Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')
  const body = characters.slice(0, lengths[prefix] ?? usualLength)
  return prefix ? `${prefix}_${body}` : body.toUpperCase()
}
