import type { MemberSession } from '@tidings/contracts/auth'
import type { EmailService } from '#features/mail/index.ts'
import {
  fail as failMember,
  findMember,
  lockMember,
  lockMemberByEmail,
  type MemberRow,
  type MemberService,
} from '#features/members/index.ts'
import type { Identity } from '#integrations/identity/identity-provider.ts'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Database, Db } from '#platform/database.ts'
import { parseEmailAddress } from '#platform/email-address.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { Caller } from '../caller.ts'
import type { CodeService } from '../codes/codes.service.ts'
import type { FirstProof } from '../first-proof.ts'
import { toSessionReply } from '../session-reply.ts'
import type { SessionService } from '../sessions/sessions.service.ts'
import type { SignupService } from '../signup/signup.service.ts'
import {
  AccountNotFoundError,
  AlreadyConnectedError,
  ConnectFailedError,
  ConnectRequiresLoginError,
  NotConnectedError,
  SetPasswordFirstError,
  UseEmailLoginError,
} from './identity.errors.ts'
import { createIdentity, findIdentity, removeIdentities } from './identity.repository.ts'

type Deps = {
  database: Database
  members: MemberService
  sessions: SessionService
  signup: SignupService
  codes: CodeService
  emails: EmailService
  invalidation: Invalidation
  prove: FirstProof
  /** What people call each provider, by key. */
  names: ReadonlyMap<string, string>
}

/** Who came back from a provider, and what they bring along when they sign up; null where that is not wanted. */
export type Arrival = {
  provider: string
  identity: Identity
  newcomer: { customFields: Record<string, unknown>; plans: { planId: string }[] } | null
}

export type Providers = { provider: string }[]

export type IdentityService = {
  /** Logs in who is known; makes an account for a newcomer where one is wanted. */
  arrive(app: MembershipApp, arrival: Arrival, caller: Caller): Promise<MemberSession>
  /** Adds a way in to the account that is logged in; throws `account-connect-requires-login` when it no longer is. */
  connect(
    app: MembershipApp,
    owner: { memberId: string; sessionId: string },
    arrival: Pick<Arrival, 'provider' | 'identity'>,
  ): Promise<Providers>
  /** Takes a way in away; throws when none would be left. */
  disconnect(memberId: string, provider: string): Promise<Providers>
}

/**
 * Accounts and the identity providers that open them. An address opens an account only when the provider has verified
 * it; where the member had not, this is the first proof of the address.
 */
export function createIdentityService(deps: Deps): IdentityService {
  const { database, members, sessions, signup, codes, emails, invalidation, prove, names } = deps

  async function findOwner(tx: Db, app: MembershipApp, arrival: Arrival): Promise<MemberRow | null> {
    const { provider, identity, newcomer } = arrival
    const way = { appId: app.id, provider, subject: identity.subject }
    const known = await findIdentity(tx, way)
    if (known !== null) {
      const owner = await lockMember(tx, known.memberId)
      // A first proof may have removed the sign-in while this waited for the row.
      if (owner === null || (await findIdentity(tx, way)) === null) return null
      if (provesAddress(arrival, owner)) await prove(tx, app, owner, { providers: [provider] })
      return owner
    }
    const email = identity.email === null ? null : parseEmailAddress(identity.email)
    // The same person may come back in two popups at once: the second waits here, and finds itself known.
    const owner = email === null ? null : await lockMemberByEmail(tx, app.id, email)
    if (owner === null) return null
    if ((await findIdentity(tx, way))?.memberId === owner.id) return owner
    // A login with an address that the provider didn't verify must not reveal whether it has an account.
    if (!identity.emailVerified)
      throw newcomer === null ? new AccountNotFoundError() : new UseEmailLoginError()
    await prove(tx, app, owner)
    await link(tx, app, owner, arrival)
    return owner
  }

  async function link(
    tx: Db,
    app: MembershipApp,
    member: Pick<MemberRow, 'id' | 'email'>,
    { provider, identity }: Pick<Arrival, 'provider' | 'identity'>,
  ): Promise<void> {
    const { subject } = identity
    const linked = await createIdentity(tx, { appId: app.id, provider, subject, memberId: member.id })
    if (!linked) throw new AlreadyConnectedError()
    const providerName = names.get(provider) ?? provider
    await emails.enqueue(tx, app, member.email, { kind: 'provider-connected', providerName })
    await invalidation.invalidate(tx, { at: [cacheKeys.member(member.id)] })
  }

  async function welcome(tx: Db, app: MembershipApp, arrival: Arrival, caller: Caller): Promise<string> {
    const { newcomer, identity, provider } = arrival
    if (newcomer === null) throw new AccountNotFoundError()
    const email = identity.email === null ? null : parseEmailAddress(identity.email)
    if (email === null) {
      const name = names.get(provider) ?? provider
      throw new ConnectFailedError(`${name} did not tell us your email address, and we need one.`)
    }
    const verified = identity.emailVerified
    const application = { ...signup.readApplication(app, newcomer), email, verified, passwordHash: null }
    const id = await signup.create(tx, app, application, caller)
    if (id === null) {
      // Taken since it was looked for, perhaps by this very person in another popup.
      const owner = await findOwner(tx, app, arrival)
      if (owner === null) throw new UseEmailLoginError()
      return owner.id
    }
    const { subject } = identity
    if (!(await createIdentity(tx, { appId: app.id, provider, subject, memberId: id }))) {
      throw new AlreadyConnectedError()
    }
    if (!verified) await codes.request(tx, app, { purpose: 'verification', email }, caller)
    return id
  }

  return {
    async arrive(app, arrival, caller) {
      return await database.transaction(async (tx) => {
        const owner = await findOwner(tx, app, arrival)
        const memberId = owner?.id ?? (await welcome(tx, app, arrival, caller))
        const session = await sessions.begin(tx, app, memberId, { caller })
        const row = await findMember(tx, memberId)
        if (session === null || row === null) throw failMember('member-not-found')
        return toSessionReply(members, app, row, session)
      })
    },
    async connect(app, { memberId, sessionId }, arrival) {
      return await database.transaction(async (tx) => {
        const row = await lockMember(tx, memberId)
        if (row === null || !(await sessions.isThere(tx, sessionId))) throw new ConnectRequiresLoginError()
        await link(tx, app, row, arrival)
        return [...providersOf(row), { provider: arrival.provider }]
      })
    },
    async disconnect(memberId, provider) {
      return await database.transaction(async (tx) => {
        const row = await lockMember(tx, memberId)
        if (row === null) throw failMember('member-not-found')
        if (!row.identities.some((identity) => identity.provider === provider)) throw new NotConnectedError()
        if (row.passwordHash === null && row.identities.length === 1) throw new SetPasswordFirstError()
        await removeIdentities(tx, memberId, [provider])
        await invalidation.invalidate(tx, { at: [cacheKeys.member(memberId)] })
        return providersOf(row).filter((other) => other.provider !== provider)
      })
    },
  }
}

/** Whether the provider made sure of an address that the member has not proved yet. */
function provesAddress({ identity }: Arrival, { email, verified }: MemberRow): boolean {
  return !verified && identity.emailVerified && parseEmailAddress(identity.email ?? '') === email
}

function providersOf(row: MemberRow): Providers {
  return row.identities.map(({ provider }) => ({ provider }))
}
