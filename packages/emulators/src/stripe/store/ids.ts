import { createHmac, generateKeySync } from 'node:crypto'
import { invalid } from '../protocol/errors.ts'
import type { Kind, Store } from './store.ts'

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

/** The id that was asked for, or a new one. Throws `resource_already_exists` when it is taken. */
export function chosenId(
  store: Store,
  kind: Kind,
  { prefix, wanted }: { prefix: string; wanted: string | undefined },
): string {
  if (wanted === undefined) return store.newId(prefix)
  if (!/^[\w-]{1,200}$/.test(wanted)) {
    throw invalid(`Invalid id: ${wanted}. Ids consist of letters, digits, dashes and underscores.`, {
      param: 'id',
    })
  }
  if (!store.of(kind).find(wanted)) return wanted
  const noun = kind[0]?.toUpperCase() + kind.slice(1)
  throw invalid(`${noun} already exists.`, { code: 'resource_already_exists', param: 'id' })
}
