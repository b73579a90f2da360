import {
  doneReply,
  loginRequest,
  passwordlessLoginRequest,
  resetPasswordRequest,
  sendCodeRequest,
  sendSignupCodeRequest,
  sessionReply,
  setPasswordRequest,
  signupQuery,
  signupRequest,
  updateAuthRequest,
  verifyEmailRequest,
} from '@tidings/contracts/membership/auth'
import { memberWithMessageReply } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { memberRoute, publicRoute, withMessage } from '#http/endpoints/route-options.ts'
import { type Authenticate, sessionOf } from '#http/membership/member-session.ts'
import { appOf } from '#http/membership/membership.ts'
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
const sameReply = 'The response and its time are the same whether or not the address has an account.'

/** Registers login, sign-up, one-time codes, and changes of a member's address and password. */
export function registerAuthRoutes(app: App, deps: Deps): void {
  registerLogins(app, deps)
  registerSignups(app, deps)
  registerResets(app, deps)
  registerVerification(app, deps)
  registerAccount(app, deps)
}

function registerLogins(app: App, { passwordLogin, passwordless }: Deps): void {
  app.post(
    membershipPaths.login,
    publicRoute('logging in', 'Logs in by password', { body: loginRequest, reply: sessionReply }),
    async (request) => {
      const session = await passwordLogin(appOf(request), request.body, callerOf(request))
      return withMessage(session, messages.loggedIn)
    },
  )

  app.post(
    membershipPaths.passwordlessLoginSend,
    publicRoute('logging in', 'Emails a login code', {
      description: sameReply,
      body: sendCodeRequest,
      reply: doneReply,
    }),
    async (request) => {
      await passwordless.send(appOf(request), 'login', request.body, callerOf(request))
      return codeSent
    },
  )

  app.post(
    membershipPaths.passwordlessLogin,
    publicRoute('logging in', 'Logs in with an emailed code', {
      body: passwordlessLoginRequest,
      reply: sessionReply,
    }),
    async (request) => {
      const session = await passwordless.login(appOf(request), request.body, callerOf(request))
      return withMessage(session, messages.loggedIn)
    },
  )
}

function registerSignups(app: App, { signup, passwordless }: Deps): void {
  app.post(
    membershipPaths.signup,
    publicRoute('signing up', 'Signs up with a password or, with `?isPasswordless=true`, an emailed code', {
      querystring: signupQuery,
      body: signupRequest,
      reply: sessionReply,
    }),
    async (request) => {
      const caller = callerOf(request, request.body.origin_domain)
      const signUp = request.query.isPasswordless === 'true' ? passwordless.signup : signup.byPassword
      const session = await signUp(appOf(request), request.body, caller)
      return withMessage(session, 'Your account is ready.')
    },
  )

  app.post(
    membershipPaths.passwordlessSignupSend,
    publicRoute('signing up', 'Emails a sign-up code or, to an address with an account, a login code', {
      body: sendSignupCodeRequest,
      reply: doneReply,
    }),
    async (request) => {
      await passwordless.send(appOf(request), 'signup', request.body, callerOf(request))
      return codeSent
    },
  )
}

function registerResets(app: App, { reset }: Deps): void {
  app.post(
    membershipPaths.sendResetPasswordEmail,
    publicRoute('account', 'Emails a password reset code', {
      description: sameReply,
      body: sendCodeRequest,
      reply: doneReply,
    }),
    async (request) => {
      await reset.send(appOf(request), request.body.email, callerOf(request))
      return codeSent
    },
  )

  app.post(
    membershipPaths.resetPassword,
    publicRoute('account', 'Sets a new password with an emailed code and ends every session', {
      body: resetPasswordRequest,
      reply: doneReply,
    }),
    async (request) => {
      await reset.reset(appOf(request), request.body, callerOf(request))
      return done('You can log in with your new password now.')
    },
  )
}

function registerVerification(app: App, { verification, authenticate }: Deps): void {
  app.post(
    membershipPaths.sendEmailVerification,
    memberRoute('account', "Emails a code and a link that verify the member's address", { reply: doneReply }),
    async (request) => {
      const isSent = await verification.send(appOf(request), sessionOf(request).memberId, callerOf(request))
      return done(isSent ? 'We’ve sent a code to your address.' : 'Your address is already confirmed.')
    },
  )

  app.post(
    membershipPaths.verifyEmail,
    publicRoute('account', 'Verifies an address with the code that was emailed to it', {
      description:
        "Send the member's access token or the account's `password`; both keep every session and login method. " +
        'Without either, send a `newPassword` to set. The first verification then removes every other password, ' +
        'provider and session of the account.',
      body: verifyEmailRequest,
      reply: doneReply,
    }),
    async (request) => {
      const auth = await authenticate(request)
      const session = typeof auth === 'string' ? null : auth
      await verification.verify(appOf(request), request.body, { session, caller: callerOf(request) })
      return done('Your email address is confirmed.')
    },
  )
}

function registerAccount(app: App, { account }: Deps): void {
  app.post(
    membershipPaths.memberAuth,
    memberRoute('account', 'Changes the address or the password and ends every other session', {
      body: updateAuthRequest,
      reply: memberWithMessageReply,
    }),
    async (request) => {
      const { body } = request
      const member = await account.update(appOf(request), sessionOf(request), body, callerOf(request))
      return withMessage(member, 'Your changes are saved.')
    },
  )

  app.post(
    membershipPaths.setPassword,
    memberRoute('account', 'Sets a first password', {
      body: setPasswordRequest,
      reply: memberWithMessageReply,
    }),
    async (request) => {
      const { password } = request.body
      const member = await account.setPassword(
        appOf(request),
        sessionOf(request),
        password,
        callerOf(request),
      )
      return withMessage(member, 'Your password is set.')
    },
  )
}

function done(message: string) {
  return withMessage({ success: true as const }, message)
}
