import {
  createAcceptanceService,
  createDeskSessionService,
  createInvitationService,
  createKeyDesk,
  createPasskeyService,
  createPeopleService,
  createRequireProof,
  createSignInService,
  createYouService,
  deskSiteOf,
  removeExpiredChallenges,
} from '../features/people/index.ts'
import type { PasskeyVerifier } from '../integrations/passkeys/passkey-verifier.ts'
import { lazily } from '../platform/lazily.ts'
import type { Desk } from './desk.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

/** Creates the services for the people of the desk. */
export function createPeople(deps: Infrastructure & Membership & Desk) {
  const { config, database, clock } = deps
  const deskSite = deskSiteOf(config)
  const secret = config.secrets.siteSecret
  const shared = { ...deps, deskSite, secret, verifier: createVerifier(deskSite.passkeys) }
  const passkeys = createPasskeyService(shared)
  const requireProof = createRequireProof({ ...shared, passkeys })
  const deskSessions = createDeskSessionService(shared)
  const proving = { ...shared, passkeys, requireProof, deskSessions }
  const invitations = createInvitationService(proving)
  const deskSignIn = createSignInService(proving)
  return {
    deskSite,
    deskSessions,
    deskSignIn,
    invitations,
    acceptance: createAcceptanceService({ ...proving, links: invitations.links }),
    people: createPeopleService(proving),
    you: createYouService(proving),
    keyDesk: createKeyDesk(proving),

    /** Removes sessions, links, invitations and challenges that have expired. */
    async removeOldLogins(): Promise<void> {
      await removeExpiredChallenges(database.db, clock.now())
      await deskSessions.removeExpired()
      await deskSignIn.removeOld()
      await invitations.removeOld()
    },
  }
}

/** Loads SimpleWebAuthn with the first passkey, because workers need none. */
function createVerifier(site: Parameters<typeof load>[0]): PasskeyVerifier {
  const open = lazily(() => load(site))
  return {
    creationOptions: async (...args) => await (await open()).creationOptions(...args),
    requestOptions: async (...args) => await (await open()).requestOptions(...args),
    verifyCreation: async (...args) => await (await open()).verifyCreation(...args),
    verifyAssertion: async (...args) => await (await open()).verifyAssertion(...args),
  }
}

async function load(site: ReturnType<typeof deskSiteOf>['passkeys']): Promise<PasskeyVerifier> {
  const { createWebauthnPasskeyVerifier } = await import(
    '../integrations/passkeys/webauthn-passkey-verifier.ts'
  )
  return createWebauthnPasskeyVerifier(site)
}
