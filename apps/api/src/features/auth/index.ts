/**
 * Login: passwords, one-time codes, identity providers, and the sessions that they begin.
 *
 * One-time code: six digits by email. Purpose: what a code may be used for. Session: a login. Access token: the
 * string that proves it.
 */

export { type Caller, callerOf, createKnownSources } from './caller.ts'
export { claimSolution, removeOldSolutions } from './captcha/captcha.repository.ts'
export { registerCaptchaRoutes } from './captcha/captcha.routes.ts'
export { type CodeSecrets, createCodeSecrets } from './codes/code-secrets.ts'
export { sendCode } from './codes/codes.jobs.ts'
export { removeOldCodes } from './codes/codes.repository.ts'
export { createCodeService } from './codes/codes.service.ts'
export { registerIdentityRoutes } from './identity/identity.routes.ts'
export { createIdentityService } from './identity/identity.service.ts'
export { createIdentityFlows } from './identity/identity-flows.ts'
export { registerIdentityPopups } from './identity/popups.routes.ts'
export { createPopupService } from './identity/popups.service.ts'
export { removeOldFlows } from './identity.repository.ts'
export { createAccountService } from './logins/account.service.ts'
export { registerAuthRoutes } from './logins/auth.routes.ts'
export { createPasswordLogin } from './logins/password.service.ts'
export { createPasswordlessService } from './logins/passwordless.service.ts'
export { createResetService } from './logins/reset.service.ts'
export { createSignupService } from './logins/signup.service.ts'
export { type KnownSession, sessionCacheKey } from './sessions/authentication.ts'
export { removeExpiredSessions } from './sessions/sessions.repository.ts'
export { registerSessionRoutes } from './sessions/sessions.routes.ts'
export { createSessionService } from './sessions/sessions.service.ts'
export { createVerifyEmail } from './verification/email-verification.ts'
export { createVerificationService } from './verification/verification.service.ts'
export { registerVerificationPage } from './verification/verification-page.ts'
