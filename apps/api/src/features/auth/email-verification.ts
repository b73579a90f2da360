import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import {
  endPreferencesLinks,
  type MemberRow,
  memberCacheKey,
  removePhone,
  removePushDevices,
  updateMember,
} from '../members/index.ts'
import type { AuthDeps } from './auth.deps.ts'
import { endCodes } from './codes/codes.repository.ts'
import { removeIdentities } from './identity/identity.repository.ts'
import type { KnownSources } from './known-sources.ts'
import type { SessionService } from './sessions/sessions.service.ts'

type Deps = Pick<AuthDeps, 'emails' | 'invalidation' | 'clock' | 'names'> & {
  sessions: SessionService
  sources: KnownSources
}

/** The logins that the verification itself shows to be the member's. */
type Kept = { sessionId?: string | null; passwordHash?: string | null; providers?: readonly string[] }

export type VerifyEmail = ReturnType<typeof createVerifyEmail>

/**
 * Returns a function that marks a member's address as verified. The first verification removes every password, provider
 * and session but the kept ones, which may be another person's, and emails the member about it (ADR 0030). It ends the
 * links to the preferences. If neither a session nor the password is kept, it removes the number that receives texts, and
 * the browsers that are notified.
 */
export function createVerifyEmail({ sessions, sources, emails, invalidation, clock, names }: Deps) {
  /** Returns false if the address was verified before. The caller has locked the member's row. */
  return async function verifyEmail(
    tx: Db,
    app: MembershipApp,
    member: MemberRow,
    { sessionId = null, passwordHash = null, providers = [] }: Kept = {},
  ): Promise<boolean> {
    if (member.verified) return false
    const { id, email } = member
    const connected = member.identities.map(({ provider }) => provider)
    const removed = connected.filter((provider) => !providers.includes(provider))
    await removeIdentities(tx, id, removed)
    await updateMember(tx, id, { verified: true, passwordHash, formerEmail: null })
    await endPreferencesLinks(tx, id)
    await emails.release(tx, member)
    const sessionsEnded = await sessions.endOthers(tx, id, sessionId)
    if (sessionId === null) await sources.forget(tx, id)
    const hasChanged = passwordHash !== member.passwordHash
    const keepsLogin = sessionId !== null || (passwordHash !== null && !hasChanged)
    if (!keepsLogin) await removePushDevices(tx, id)
    const isPhoneRemoved = !keepsLogin && (await removePhone(tx, id))
    await endCodes(tx, { appId: app.id, purpose: 'verification', email }, clock.now())
    await invalidation.invalidate(tx, { at: [memberCacheKey(id)] })

    const isPasswordRemoved = hasChanged && member.passwordHash !== null
    if (isPasswordRemoved || isPhoneRemoved || removed.length > 0 || sessionsEnded > 0) {
      await emails.enqueue(tx, app, email, {
        kind: 'address-proved',
        password: isPasswordRemoved ? (passwordHash === null ? 'removed' : 'replaced') : null,
        providerNames: removed.map((provider) => names.get(provider) ?? provider),
        sessionsEnded,
        isPhoneRemoved,
      })
    } else if (hasChanged) {
      await emails.enqueue(tx, app, email, { kind: 'password-changed' })
    }
    return true
  }
}
