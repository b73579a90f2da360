import {
  login,
  loginWithCode,
  resetPassword,
  sendEmailVerification,
  sendLoginCode,
  sendResetEmail,
  sendSignupCode,
  setPassword,
  signUp,
  updateAuth,
  verifyEmail,
} from '@tidings/contracts/membership/auth'
import { messages } from '@tidings/contracts/membership/messages'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { type Authenticate, sessionOf } from '#http/membership/member-session.ts'
import { appOf, withMessage } from '#http/membership/membership.ts'
import { callerOf } from '../caller.ts'
import type { VerificationService } from '../verification/verification.service.ts'
import type { AccountService } from './account.service.ts'
import type { PasswordLogin } from './password.service.ts'
import type { PasswordlessService } from './passwordless.service.ts'
import type { ResetService } from './reset.service.ts'
import type { SignupService } from './signup.service.ts'

type Deps = {
  passwordLogin: PasswordLogin
  passwordless: PasswordlessService
  signup: SignupService
  reset: ResetService
  verification: VerificationService
  account: AccountService
  authenticate: Authenticate
}

// The same reply for every address, with or without an account.
const codeSent = done('If this address can be used here, we’ve sent a code to it.')

/** Registers login, sign-up, one-time codes, and changes of a member's address and password. */
export function registerAuthRoutes(app: App, deps: Deps): void {
  registerLogins(app, deps)
  registerSignups(app, deps)
  registerResets(app, deps)
  registerVerification(app, deps)
  registerAccount(app, deps)
}

function registerLogins(app: App, { passwordLogin, passwordless }: Deps): void {
  register(app, login, async (request) => {
    const session = await passwordLogin(appOf(request), request.body, callerOf(request))
    return withMessage(session, messages.loggedIn)
  })

  register(app, sendLoginCode, async (request) => {
    await passwordless.send(appOf(request), 'login', request.body, callerOf(request))
    return codeSent
  })

  register(app, loginWithCode, async (request) => {
    const session = await passwordless.login(appOf(request), request.body, callerOf(request))
    return withMessage(session, messages.loggedIn)
  })
}

function registerSignups(app: App, { signup, passwordless }: Deps): void {
  register(app, signUp, async (request) => {
    const caller = callerOf(request, request.body.origin_domain)
    const create = request.query.isPasswordless === 'true' ? passwordless.signup : signup.byPassword
    const session = await create(appOf(request), request.body, caller)
    return withMessage(session, 'Your account is ready.')
  })

  register(app, sendSignupCode, async (request) => {
    await passwordless.send(appOf(request), 'signup', request.body, callerOf(request))
    return codeSent
  })
}

function registerResets(app: App, { reset }: Deps): void {
  register(app, sendResetEmail, async (request) => {
    await reset.send(appOf(request), request.body.email, callerOf(request))
    return codeSent
  })

  register(app, resetPassword, async (request) => {
    await reset.reset(appOf(request), request.body, callerOf(request))
    return done('You can log in with your new password now.')
  })
}

function registerVerification(app: App, { verification, authenticate }: Deps): void {
  register(app, sendEmailVerification, async (request) => {
    const isSent = await verification.send(appOf(request), sessionOf(request).memberId, callerOf(request))
    return done(isSent ? 'We’ve sent a code to your address.' : 'Your address is already confirmed.')
  })

  register(app, verifyEmail, async (request) => {
    const auth = await authenticate(request)
    const session = typeof auth === 'string' ? null : auth
    await verification.verify(appOf(request), request.body, { session, caller: callerOf(request) })
    return done('Your email address is confirmed.')
  })
}

function registerAccount(app: App, { account }: Deps): void {
  register(app, updateAuth, async (request) => {
    const { body } = request
    const member = await account.update(appOf(request), sessionOf(request), body, callerOf(request))
    return withMessage(member, 'Your changes are saved.')
  })

  register(app, setPassword, async (request) => {
    const { password } = request.body
    const member = await account.setPassword(appOf(request), sessionOf(request), password, callerOf(request))
    return withMessage(member, 'Your password is set.')
  })
}

function done(message: string) {
  return withMessage({ success: true as const }, message)
}
