import { findMemberByEmail, type MemberRow } from '#features/members/index.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { HashSource } from '#platform/passwords/hash-queue.ts'
import type { AuthDeps } from './auth.deps.ts'
import { type Caller, hashSourceOf, type KnownSources } from './caller.ts'
import { isPossiblePassword } from './credentials.ts'

type Deps = Pick<AuthDeps, 'database' | 'passwords' | 'rateLimits'> & { sources: KnownSources }

/** A right password: its member, the hash that it matches, and what hashes it again. */
type RightPassword = { row: MemberRow; found: string; needsRehash: boolean; hashSource: HashSource }

/**
 * Returns the check of an account's password by its address, the same work for every address. Wrong ones count for the
 * caller's network and the account (ADR 0063).
 */
export function createPasswordCheck({ database, passwords, sources, rateLimits }: Deps) {
  /** Returns null for a wrong password. Throws `too-many-requests`. */
  return async function checkPassword(
    app: MembershipApp,
    { email, password }: { email: string; password: string },
    caller: Caller,
  ): Promise<RightPassword | null> {
    await rateLimits.consume('logins', caller.ip)
    const source = await sources.find(database.db, { appId: app.id, email }, caller)
    const refundTry = await sources.countTry(`${app.id} ${email}`, source)

    const row = isPossiblePassword(password) ? await findMemberByEmail(database.db, app.id, email) : null
    const found = row?.passwordHash ?? null
    const hashSource = hashSourceOf(caller, source)
    const verified = passwords.verify(found, password.slice(0, 2_000), hashSource)
    const { isRight, needsRehash } = await verified.catch(async (error: unknown) => {
      await refundTry()
      throw error
    })
    if (row === null || found === null || !isRight) return null
    await refundTry()
    return { row, found, needsRehash, hashSource }
  }
}
