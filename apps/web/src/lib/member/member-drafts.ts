import * as z from 'zod/mini'
import { parseJson } from '../api/json.ts'
import type { Store } from '../storage/store.ts'

const draftsKey = 'tidings:drafts'
const draftsSchema = z.object({ member: z.string(), texts: z.record(z.string(), z.string()) })

/** The owner of a draft, and where it was written. */
export type DraftName = { member: string; name: string }

function readDrafts(sessionStore: Store) {
  return draftsSchema.safeParse(parseJson(sessionStore.get(draftsKey) ?? '')).data ?? null
}

/** Returns what a member has written there in this browser tab and not sent; null for nothing. */
export function findDraft(sessionStore: Store, { member, name }: DraftName): string | null {
  const stored = readDrafts(sessionStore)
  return stored?.member === member ? (stored.texts[name] ?? null) : null
}

/** Stores a draft until its member's session ends, in place of all drafts of another member. */
export function saveDraft(sessionStore: Store, { member, name }: DraftName, text: string): void {
  const stored = readDrafts(sessionStore)
  const own = stored?.member === member ? stored.texts : {}
  // Sent by a member whose session has ended meanwhile.
  if (text === '' && own[name] === undefined) return
  const { [name]: _, ...others } = own
  const texts = text === '' ? others : { ...others, [name]: text }
  sessionStore.set(draftsKey, JSON.stringify({ member, texts }))
}

/** Removes the drafts of all members but this one; of all if it is null. */
export function removeDrafts(sessionStore: Store, { except }: { except: string | null }): void {
  if (except === null || readDrafts(sessionStore)?.member !== except) sessionStore.remove(draftsKey)
}
