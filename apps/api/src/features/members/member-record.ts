import type { Db } from '#platform/database.ts'
import { fail } from './members.errors.ts'
import type { MemberRow } from './members.repository.ts'

/** Work in a transaction with the member's row locked. */
export type WorkOnMember<T> = (tx: Db, row: MemberRow) => Promise<T>

/** Returns the key of a member's cached response. */
export function memberCacheKey(memberId: string): string {
  return `member:${memberId}`
}

/** Returns the row. Throws `member-not-found`. */
export function existing(row: MemberRow | null): MemberRow {
  if (row === null) throw fail('member-not-found')
  return row
}
