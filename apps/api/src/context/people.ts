import type { ChangeService, EditorKeyService } from '../features/desk/index.ts'
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
import type { Adapters } from './adapters.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

type Changes = { changes: ChangeService; editorKeys: EditorKeyService }

/** Creates the services for the people of the desk. */
export function createPeople(deps: Infrastructure & Adapters & Membership & Changes) {
  const { config, database, clock } = deps
  const deskSite = deskSiteOf(config)
  const secret = config.secrets.siteSecret
  const shared = { ...deps, deskSite, secret, verifier: deps.createPasskeys(deskSite.passkeys) }
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
