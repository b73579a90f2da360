import * as z from 'zod/mini'
import { parseJson } from '../api/json.ts'
import type { Store } from '../storage/store.ts'

type SentCode = {
  by: 'email' | 'text'
  /** The owner of the code, without the address: other people may use this browser. */
  to: string
}

const sentSchema = z.object({ to: z.string(), at: z.number() })

/** Returns when this tab last saw that a code was sent; null if it didn't. */
export function findSent(sessionStore: Store, { by, to }: SentCode): number | null {
  const sent = sentSchema.safeParse(parseJson(sessionStore.get(keyOf(by)) ?? '')).data
  return sent?.to === to ? sent.at : null
}

export function saveSent(sessionStore: Store, { by, to }: SentCode, at: number): void {
  sessionStore.set(keyOf(by), JSON.stringify({ to, at }))
}

function keyOf(by: SentCode['by']): string {
  return `tidings:confirmation-${by}`
}
