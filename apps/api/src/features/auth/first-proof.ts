import type { Invalidation } from '#platform/cache/invalidation.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { EmailService } from '../mail/index.ts'
import { type MemberRow, updateMember } from '../members/index.ts'
import { endCodes } from './codes/codes.repository.ts'
import { removeIdentities } from './identity/identity.repository.ts'
import { forgetSources } from './known-sources.repository.ts'
import type { SessionService } from './sessions/sessions.service.ts'

type Deps = {
  sessions: SessionService
  emails: EmailService
  invalidation: Invalidation
  clock: Clock
  /** What people call each identity provider, by key. */
  names: ReadonlyMap<string, string>
}

/** What the proof itself shows to be the member's. */
type Kept = { sessionId?: string; passwordHash?: string | null; providers?: readonly string[] }

/**
 * Marks a member's address as verified. At the first proof of an address it removes every password, provider and
 * session but the kept ones, and tells the member by email; returns false when the address was verified before.
 * The caller holds the member's row (ADR 0030).
 */
export type FirstProof = (tx: Db, app: MembershipApp, member: MemberRow, kept?: Kept) => Promise<boolean>

export function createFirstProof({ sessions, emails, invalidation, clock, names }: Deps): FirstProof {
  return async function prove(tx, app, member, kept = {}) {
    if (member.verified) return false
    const { id, email } = member
    const { sessionId = null, passwordHash = null, providers: keptProviders = [] } = kept
    const providers = member.identities.map(({ provider }) => provider)
    const removed = providers.filter((provider) => !keptProviders.includes(provider))
    await removeIdentities(tx, id, removed)
    await updateMember(tx, id, { verified: true, passwordHash, formerEmail: null })
    const sessionsEnded = await sessions.endOthers(tx, id, sessionId)
    if (sessionId === null) await forgetSources(tx, id)
    await endCodes(tx, { appId: app.id, purpose: 'verification', email }, clock.now())
    await invalidation.invalidate(tx, { at: [cacheKeys.member(id)] })

    const hasChanged = passwordHash !== member.passwordHash
    const isPasswordRemoved = hasChanged && member.passwordHash !== null
    if (isPasswordRemoved || removed.length > 0 || sessionsEnded > 0) {
      await emails.enqueue(tx, app, email, {
        kind: 'address-proved',
        password: isPasswordRemoved ? (passwordHash === null ? 'removed' : 'replaced') : null,
        providerNames: removed.map((provider) => names.get(provider) ?? provider),
        sessionsEnded,
      })
    } else if (hasChanged) {
      await emails.enqueue(tx, app, email, { kind: 'password-changed' })
    }
    return true
  }
}
