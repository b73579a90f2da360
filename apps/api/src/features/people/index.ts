/**
 * The people of the desk: who works there, how they sign in, and what owners decide.
 *
 * - invitation: a link that gives an address roles and a first passkey
 * - proof: a passkey used in the last ten minutes, which sensitive changes need
 */
export { deskSiteOf } from './desk-site.ts'
export { createAcceptanceService } from './invitations/acceptance.service.ts'
export { sendInvitation } from './invitations/invitations.jobs.ts'
export { createInvitationService } from './invitations/invitations.service.ts'
export { createKeyDesk } from './keys/key-desk.service.ts'
export { removeExpiredChallenges } from './passkeys/challenges.repository.ts'
export { createPasskeyService } from './passkeys/passkeys.service.ts'
export { createRequireProof } from './passkeys/proofs.ts'
export { registerPeopleRoutes } from './people.routes.ts'
export { createPeopleService } from './roles/people.service.ts'
export { sessionSecretOf } from './sessions/session-cookie.ts'
export { createDeskSessionService } from './sessions/sessions.service.ts'
export { sendSignInLink } from './sign-in/sign-in.jobs.ts'
export { createSignInService } from './sign-in/sign-in.service.ts'
export { createYouService } from './you/you.service.ts'
