import type { App } from '#http/app-type.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { DeskSite } from './desk-site.ts'
import type { AcceptanceService } from './invitations/acceptance.service.ts'
import { registerInvitations } from './invitations/invitations.routes.ts'
import type { InvitationService } from './invitations/invitations.service.ts'
import { registerKeyDesk } from './keys/key-desk.routes.ts'
import type { KeyDesk } from './keys/key-desk.service.ts'
import type { PeopleService } from './roles/people.service.ts'
import { registerRoles } from './roles/roles.routes.ts'
import { registerSignIn } from './sign-in/sign-in.routes.ts'
import type { SignInService } from './sign-in/sign-in.service.ts'
import { registerYou } from './you/you.routes.ts'
import type { YouService } from './you/you.service.ts'

type Deps = {
  deskSignIn: SignInService
  invitations: InvitationService
  acceptance: AcceptanceService
  people: PeopleService
  you: YouService
  keyDesk: KeyDesk
  rateLimits: RateLimits
  deskSite: DeskSite
}

/** Registers how people sign in at the desk, and what they and owners manage there. */
export async function registerPeopleRoutes(app: App, deps: Deps): Promise<void> {
  registerSignIn(app, deps)
  registerInvitations(app, deps)
  registerRoles(app, deps)
  registerYou(app, deps.you)
  registerKeyDesk(app, deps.keyDesk)
}
