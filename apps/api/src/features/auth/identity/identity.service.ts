import type { MemberSession } from '@tidings/contracts/membership/auth'
import { parseEmailAddress } from '@tidings/contracts/membership/email-address'
import {
  fail as failMember,
  isAddressHeld,
  lockMember,
  lockMemberByEmail,
  type MemberRow,
  memberCacheKey,
} from '#features/members/index.ts'
import type { Identity } from '#integrations/identity/identity-provider.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import { fail } from '../auth.errors.ts'
import type { Caller } from '../caller.ts'
import type { CodeService } from '../codes/codes.service.ts'
import { requireReachable } from '../credentials.ts'
import { createIdentity, findIdentity, removeIdentities } from '../identity.repository.ts'
import type { SignupService } from '../logins/signup.service.ts'
import { logIn, type SessionService } from '../sessions/sessions.service.ts'
import type { VerifyEmail } from '../verification/email-verification.ts'

type Deps = Pick<AuthDeps, 'database' | 'members' | 'emails' | 'invalidation' | 'names' | 'mailServers'> & {
  sessions: SessionService
  signup: SignupService
  codes: CodeService
  verifyEmail: VerifyEmail
}

type ProviderIdentity = { provider: string; identity: Identity }

/** A completed sign-in with a provider, and the data of a new account; null if none may be created. */
export type ProviderSignIn = ProviderIdentity & {
  newAccount: { customFields: Record<string, unknown>; plans: { planId: string }[] } | null
}

export type Providers = { provider: string }[]

export type IdentityService = ReturnType<typeof createIdentityService>

/** Links accounts to identity providers. Only an address that the provider verified opens an account. */
export function createIdentityService(deps: Deps) {
  const { database, sessions, signup, codes, emails, invalidation, verifyEmail, names } = deps

  async function findOwner(tx: Db, app: MembershipApp, signIn: ProviderSignIn): Promise<MemberRow | null> {
    const { provider, identity, newAccount } = signIn
    const key = { appId: app.id, provider, subject: identity.subject }
    const known = await findIdentity(tx, key)
    if (known !== null) {
      const owner = await lockMember(tx, known.memberId)
      // Verifying the address may have removed the identity while this waited for the lock.
      if (owner === null || (await findIdentity(tx, key)) === null) return null
      if (verifiesAddress(identity, owner)) await verifyEmail(tx, app, owner, { providers: [provider] })
      return owner
    }
    const email = parseEmailAddress(identity.email ?? '')
    // With two popups of one person, the second waits for the lock and then finds its identity.
    const owner = email === null ? null : await lockMemberByEmail(tx, app.id, email)
    if (owner === null) return null
    if ((await findIdentity(tx, key))?.memberId === owner.id) return owner
    // A login with an address that the provider didn't verify must not reveal whether it has an account.
    if (!identity.emailVerified) throw fail(newAccount === null ? 'account-not-found' : 'use-email-login')
    await verifyEmail(tx, app, owner, {})
    await connect(tx, app, owner, signIn)
    return owner
  }

  async function connect(
    tx: Db,
    app: MembershipApp,
    member: Pick<MemberRow, 'id' | 'email'>,
    { provider, identity: { subject } }: ProviderIdentity,
  ): Promise<void> {
    const isNew = await createIdentity(tx, { appId: app.id, provider, subject, memberId: member.id })
    if (!isNew) throw fail('account-already-connected')
    const providerName = names.get(provider) ?? provider
    await emails.enqueue(tx, app, member.email, { kind: 'provider-connected', providerName })
    await invalidation.invalidate(tx, { at: [memberCacheKey(member.id)] })
  }

  async function signUp(tx: Db, app: MembershipApp, signIn: ProviderSignIn, caller: Caller): Promise<string> {
    const { provider, identity, newAccount } = signIn
    const email = parseEmailAddress(identity.email ?? '')
    const isOwner = email !== null && identity.emailVerified
    if (isOwner && (await isAddressHeld(tx, app.id, email))) throw fail('account-closing')
    if (newAccount === null) throw fail('account-not-found')
    if (email === null) throw fail('account-connect-failed', 'no-email', names.get(provider) ?? provider)
    const { subject, emailVerified: verified } = identity
    if (!verified) await requireReachable(tx, deps.mailServers, email)
    const applicant = { ...signup.readApplication(app, newAccount), email, verified, passwordHash: null }
    const memberId = await signup.create(tx, app, applicant, caller)
    if (memberId === null) {
      // The address was taken since the lookup, perhaps by the same person in another popup.
      const owner = await findOwner(tx, app, signIn)
      if (owner === null) throw fail('use-email-login')
      return owner.id
    }
    const isNew = await createIdentity(tx, { appId: app.id, provider, subject, memberId })
    if (!isNew) throw fail('account-already-connected')
    if (!verified) await codes.request(tx, app, { purpose: 'verification', email }, caller)
    return memberId
  }

  return {
    disconnect: (memberId: string, provider: string) => disconnect(deps, memberId, provider),
    /** Logs in the owner of the identity, or creates an account if one may be created. */
    async signIn(app: MembershipApp, signIn: ProviderSignIn, caller: Caller): Promise<MemberSession> {
      return await database.transaction(async (tx) => {
        const owner = await findOwner(tx, app, signIn)
        const memberId = owner?.id ?? (await signUp(tx, app, signIn, caller))
        const session = await logIn(tx, deps, app, { memberId, caller })
        if (session === null) throw failMember('member-not-found')
        return session
      })
    },
    /** Connects a provider to the session's account; throws `account-connect-requires-login` if it has ended. */
    async connect(
      app: MembershipApp,
      { memberId, sessionId }: { memberId: string; sessionId: string },
      given: ProviderIdentity,
    ): Promise<Providers> {
      return await database.transaction(async (tx) => {
        const row = await lockMember(tx, memberId)
        if (row === null || !(await sessions.isActive(tx, sessionId))) {
          throw fail('account-connect-requires-login')
        }
        await connect(tx, app, row, given)
        return [...providersOf(row), { provider: given.provider }]
      })
    },
  }
}

/** Disconnects a provider; throws if it is the last way to log in. */
async function disconnect(
  { database, invalidation }: Deps,
  memberId: string,
  provider: string,
): Promise<Providers> {
  return await database.transaction(async (tx) => {
    const row = await lockMember(tx, memberId)
    if (row === null) throw failMember('member-not-found')
    const others = providersOf(row).filter((other) => other.provider !== provider)
    if (others.length === row.identities.length) throw fail('account-not-connected')
    if (row.passwordHash === null && others.length === 0) {
      throw fail('account-set-password-before-disconnect')
    }
    await removeIdentities(tx, memberId, [provider])
    await invalidation.invalidate(tx, { at: [memberCacheKey(memberId)] })
    return others
  })
}

/** Returns whether the provider has verified the member's address, which the member has not verified yet. */
function verifiesAddress(identity: Identity, { email, verified }: MemberRow): boolean {
  return !verified && identity.emailVerified && parseEmailAddress(identity.email ?? '') === email
}

function providersOf({ identities }: MemberRow): Providers {
  return identities.map(({ provider }) => ({ provider }))
}
