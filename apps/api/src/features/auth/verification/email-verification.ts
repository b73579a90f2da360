import {
  endPreferencesLinks,
  type MemberRow,
  memberCacheKey,
  removePhone,
  removePushDevices,
  updateMember,
} from '#features/members/index.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import type { KnownSources } from '../caller.ts'
import { endCodes } from '../codes/codes.repository.ts'
import { removeIdentities } from '../identity.repository.ts'
import type { SessionService } from '../sessions/sessions.service.ts'

type Deps = Pick<AuthDeps, 'emails' | 'invalidation' | 'clock' | 'names'> & {
  sessions: SessionService
  sources: KnownSources
}

/**
 * The proof of the account's owner: a session or the password, which only its maker has; or another proof, with the
 * logins that it shows to be the member's.
 */
export type Proof = 'by maker' | { passwordHash?: string | null; providers?: readonly string[] }

export type VerifyEmail = ReturnType<typeof createVerifyEmail>

/**
 * Returns a function that marks a member's address as verified and ends the links to the preferences. If the maker of the
 * account verifies it, nothing else changes (ADR 0072). Otherwise the first verification removes every session, the number
 * that receives texts and the browsers that are notified, and every password and provider but those of the proof: they may
 * be another person's. An email tells the member (ADR 0086).
 */
export function createVerifyEmail({ sessions, sources, emails, invalidation, clock, names }: Deps) {
  async function secure(
    tx: Db,
    app: MembershipApp,
    member: MemberRow,
    { passwordHash = null, providers = [] }: Exclude<Proof, string>,
  ): Promise<void> {
    const { id, email } = member
    const connected = member.identities.map(({ provider }) => provider)
    const removed = connected.filter((provider) => !providers.includes(provider))
    await removeIdentities(tx, id, removed)
    await updateMember(tx, id, { passwordHash })
    // Before the sessions, which end theirs.
    const browsersRemoved = await removePushDevices(tx, id)
    const sessionsEnded = await sessions.endOthers(tx, id, null)
    await sources.forget(tx, id)
    const isPhoneRemoved = await removePhone(tx, id)

    const isPasswordRemoved = member.passwordHash !== null
    const isReachRemoved = isPhoneRemoved || browsersRemoved > 0
    if (isPasswordRemoved || isReachRemoved || removed.length > 0 || sessionsEnded > 0) {
      await emails.enqueue(tx, app, email, {
        kind: 'address-proved',
        password: isPasswordRemoved ? (passwordHash === null ? 'removed' : 'replaced') : null,
        providerNames: removed.map((provider) => names.get(provider) ?? provider),
        sessionsEnded,
        isPhoneRemoved,
        browsersRemoved,
      })
    } else if (passwordHash !== null) {
      await emails.enqueue(tx, app, email, { kind: 'password-changed' })
    }
  }

  /** Returns false if the address was verified before. The caller has locked the member's row. */
  return async function verifyEmail(
    tx: Db,
    app: MembershipApp,
    member: MemberRow,
    proof: Proof,
  ): Promise<boolean> {
    if (member.verified) return false
    const { id, email } = member
    await updateMember(tx, id, { verified: true, formerEmail: null })
    await endPreferencesLinks(tx, id)
    await emails.release(tx, member)
    if (proof !== 'by maker') await secure(tx, app, member, proof)
    await endCodes(tx, { appId: app.id, purpose: 'verification', email }, clock.now())
    await invalidation.invalidate(tx, { at: [memberCacheKey(id)] })
    return true
  }
}
