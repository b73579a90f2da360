import {
  doneReply,
  loginRequest,
  passwordlessLoginRequest,
  resetPasswordRequest,
  sendCodeRequest,
  sessionReply,
  setPasswordRequest,
  signupQuery,
  signupRequest,
  updateAuthRequest,
  verifyEmailRequest,
} from '@tidings/contracts/auth'
import { memberWithMessageReply } from '@tidings/contracts/members'
import { messages } from '@tidings/contracts/messages'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '../../http/app-type.ts'
import { sessionOf } from '../../http/member-session.ts'
import { appOf } from '../../http/membership.ts'
import type { AccountService } from './account/account.service.ts'
import { callerOf } from './caller.ts'
import type { PasswordLogin } from './password/password.service.ts'
import type { PasswordlessService } from './passwordless/passwordless.service.ts'
import type { ResetService } from './reset/reset.service.ts'
import type { SignupService } from './signup.service.ts'
import type { VerificationService } from './verification/verification.service.ts'

type Deps = {
  passwordLogin: PasswordLogin
  signup: SignupService
  passwordless: PasswordlessService
  reset: ResetService
  verification: VerificationService
  account: AccountService
}

const loggingIn = ['Membership: logging in']
const signingUp = ['Membership: signing up']
const account = ['Membership: account']

/** The same for every address, known or not. */
const codeSent = {
  data: { success: true },
  _internalUseOnly: { message: 'If the address can be used here, a code is on its way to it.' },
} as const

/** Logging in and signing up, codes by mail, and what a member changes about how they log in. */
export function registerAuthRoutes(app: App, deps: Deps): void {
  registerLogin(app, deps)
  registerSignup(app, deps)
  registerReset(app, deps)
  registerAccount(app, deps)
}

function registerLogin(app: App, { passwordLogin, passwordless }: Deps): void {
  app.post(
    membershipPaths.login,
    {
      config: { access: 'public' },
      schema: {
        tags: loggingIn,
        summary: 'Logs in by password',
        body: loginRequest,
        response: { 200: sessionReply },
      },
    },
    async (request) => {
      const data = await passwordLogin(appOf(request), request.body, callerOf(request))
      return { data, _internalUseOnly: { message: messages.loggedIn } }
    },
  )

  app.post(
    membershipPaths.passwordlessLoginSend,
    {
      config: { access: 'public' },
      schema: {
        tags: loggingIn,
        summary: 'Mails a code for logging in',
        description: 'The answer is the same, in the same time, whether or not the address is known.',
        body: sendCodeRequest,
        response: { 200: doneReply },
      },
    },
    async (request) => {
      await passwordless.send(appOf(request), 'login', request.body.email, callerOf(request))
      return codeSent
    },
  )

  app.post(
    membershipPaths.passwordlessLogin,
    {
      config: { access: 'public' },
      schema: {
        tags: loggingIn,
        summary: 'Logs in by the code that was mailed',
        body: passwordlessLoginRequest,
        response: { 200: sessionReply },
      },
    },
    async (request) => {
      const data = await passwordless.login(appOf(request), request.body, callerOf(request))
      return { data, _internalUseOnly: { message: messages.loggedIn } }
    },
  )
}

function registerSignup(app: App, { signup, passwordless }: Deps): void {
  app.post(
    membershipPaths.passwordlessSignupSend,
    {
      config: { access: 'public' },
      schema: {
        tags: signingUp,
        summary: 'Mails a code for signing up; to an address that has an account, one for logging in',
        body: sendCodeRequest,
        response: { 200: doneReply },
      },
    },
    async (request) => {
      await passwordless.send(appOf(request), 'signup', request.body.email, callerOf(request))
      return codeSent
    },
  )

  app.post(
    membershipPaths.signup,
    {
      config: { access: 'public' },
      schema: {
        tags: signingUp,
        summary: 'Signs up with a password, or with `?isPasswordless=true` by the code that was mailed',
        querystring: signupQuery,
        body: signupRequest,
        response: { 200: sessionReply },
      },
    },
    async (request) => {
      const caller = callerOf(request, request.body.origin_domain)
      const way = request.query.isPasswordless === 'true' ? passwordless.signup : signup.byPassword
      const data = await way(appOf(request), request.body, caller)
      return { data, _internalUseOnly: { message: 'You have successfully signed up.' } }
    },
  )
}

function registerReset(app: App, { reset, verification }: Deps): void {
  app.post(
    membershipPaths.sendResetPasswordEmail,
    {
      config: { access: 'public' },
      schema: {
        tags: account,
        summary: 'Mails a code for a new password',
        description: 'The answer is the same, in the same time, whether or not the address is known.',
        body: sendCodeRequest,
        response: { 200: doneReply },
      },
    },
    async (request) => {
      await reset.send(appOf(request), request.body.email, callerOf(request))
      return codeSent
    },
  )

  app.post(
    membershipPaths.resetPassword,
    {
      config: { access: 'public' },
      schema: {
        tags: account,
        summary: 'Sets a new password with the code that was mailed; every session ends',
        body: resetPasswordRequest,
        response: { 200: doneReply },
      },
    },
    async (request) => {
      await reset.reset(appOf(request), request.body, callerOf(request))
      return {
        data: { success: true as const },
        _internalUseOnly: { message: 'Your password has been reset. Please log in with the new one.' },
      }
    },
  )

  app.post(
    membershipPaths.sendEmailVerification,
    {
      config: { access: 'member' },
      schema: {
        tags: account,
        summary: "Mails a code and a link that verify the member's address",
        response: { 200: doneReply },
      },
    },
    async (request) => {
      await verification.send(appOf(request), sessionOf(request).memberId, request.ip)
      return {
        data: { success: true as const },
        _internalUseOnly: { message: 'A code is on its way to your address.' },
      }
    },
  )

  app.post(
    membershipPaths.verifyEmail,
    {
      config: { access: 'public' },
      schema: {
        tags: account,
        summary: 'Verifies an address with the code that was mailed to it',
        body: verifyEmailRequest,
        response: { 200: doneReply },
      },
    },
    async (request) => {
      await verification.verify(appOf(request), request.body, request.ip)
      return {
        data: { success: true as const },
        _internalUseOnly: { message: 'Your email address has been verified.' },
      }
    },
  )
}

function registerAccount(app: App, { account: accounts }: Deps): void {
  app.post(
    membershipPaths.memberAuth,
    {
      config: { access: 'member' },
      schema: {
        tags: account,
        summary: 'Changes the address or the password; every other session ends',
        body: updateAuthRequest,
        response: { 200: memberWithMessageReply },
      },
    },
    async (request) => {
      const data = await accounts.update(appOf(request), sessionOf(request), request.body, request.ip)
      return { data, _internalUseOnly: { message: 'Your account has been updated.' } }
    },
  )

  app.post(
    membershipPaths.setPassword,
    {
      config: { access: 'member' },
      schema: {
        tags: account,
        summary: 'Sets a first password',
        body: setPasswordRequest,
        response: { 200: memberWithMessageReply },
      },
    },
    async (request) => {
      const data = await accounts.setPassword(appOf(request), sessionOf(request), request.body.password)
      return { data, _internalUseOnly: { message: 'Your password has been set.' } }
    },
  )
}
