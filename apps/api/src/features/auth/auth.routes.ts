import type { App } from '#http/app-type.ts'
import type { Authenticate } from '#http/membership/member-session.ts'
import { registerAccountRoutes } from './account/account.routes.ts'
import type { AccountService } from './account/account.service.ts'
import { registerPasswordRoutes } from './password/password.routes.ts'
import type { PasswordLogin } from './password/password.service.ts'
import { registerPasswordlessRoutes } from './passwordless/passwordless.routes.ts'
import type { PasswordlessService } from './passwordless/passwordless.service.ts'
import { registerResetRoutes } from './reset/reset.routes.ts'
import type { ResetService } from './reset/reset.service.ts'
import { registerSignupRoutes } from './signup/signup.routes.ts'
import type { SignupService } from './signup/signup.service.ts'
import { registerVerificationRoutes } from './verification/verification.routes.ts'
import type { VerificationService } from './verification/verification.service.ts'

type Deps = {
  passwordLogin: PasswordLogin
  passwordless: PasswordlessService
  signup: SignupService
  reset: ResetService
  verification: VerificationService
  account: AccountService
  authenticate: Authenticate
}

/** Logging in and signing up, codes by mail, and what a member changes about how they log in. */
export function registerAuthRoutes(app: App, deps: Deps): void {
  registerPasswordRoutes(app, deps)
  registerPasswordlessRoutes(app, deps)
  registerSignupRoutes(app, deps)
  registerResetRoutes(app, deps)
  registerVerificationRoutes(app, deps)
  registerAccountRoutes(app, deps)
}
