import {
  createAccountService,
  type createCodeService,
  createIdentityFlows,
  createIdentityService,
  type createKnownSources,
  createPasswordLogin,
  createPasswordlessService,
  createPopupService,
  createResetService,
  type createSessionService,
  createSignupService,
  createVerificationService,
  createVerifyEmail,
} from '../features/auth/index.ts'
import type { createEmailSync } from '../features/billing/index.ts'
import type { createEmailService, createMailServerService } from '../features/mail/index.ts'
import type { createMemberService } from '../features/members/index.ts'
import type { createPlanService } from '../features/plans/index.ts'
import type { CaptchaVerifier } from '../integrations/captcha/captcha-verifier.ts'
import type { createMembershipApps } from '../platform/membership-apps/membership-apps.ts'
import type { Adapters } from './adapters.ts'
import type { Caches } from './caches.ts'
import type { Infrastructure } from './infrastructure.ts'

type Accounts = {
  apps: ReturnType<typeof createMembershipApps>
  members: ReturnType<typeof createMemberService>
  plans: ReturnType<typeof createPlanService>
  sessions: ReturnType<typeof createSessionService>
  sources: ReturnType<typeof createKnownSources>
  codes: ReturnType<typeof createCodeService>
  emails: ReturnType<typeof createEmailService>
  mailServers: ReturnType<typeof createMailServerService>
  syncEmail: ReturnType<typeof createEmailSync>['request']
  captcha: CaptchaVerifier | null
}

/** Creates the ways to sign up and log in, and to change what a member logs in with. */
export function createLogins(deps: Infrastructure & Caches & Adapters & Accounts) {
  const { config, apps, sessions } = deps
  const { url: siteUrl, origins: siteOrigins, legal } = config.site
  const names = new Map(config.identityProviders.map(({ key, name }) => [key, name]))
  const auth = { ...deps, verifyEmail: createVerifyEmail({ ...deps, names }) }
  const signup = createSignupService(auth)
  const identity = createIdentityService({ ...auth, signup, names })
  const identityFlows = createIdentityFlows({ ...deps, names, siteUrl })
  return {
    signup,
    passwordLogin: createPasswordLogin(auth),
    passwordless: createPasswordlessService({ ...auth, signup }),
    reset: createResetService(auth),
    verification: createVerificationService({ ...auth, contact: legal.contactEmail }),
    account: createAccountService(auth),
    identity,
    popups: createPopupService({ ...deps, apps, siteOrigins, identity, identityFlows, sessions }),
  }
}
