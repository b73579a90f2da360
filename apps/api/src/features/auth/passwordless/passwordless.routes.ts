import {
  doneReply,
  passwordlessLoginRequest,
  sendCodeRequest,
  sendSignupCodeRequest,
  sessionReply,
} from '@tidings/contracts/auth'
import { messages } from '@tidings/contracts/messages'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { appOf } from '#http/membership/membership.ts'
import { callerOf } from '../caller.ts'
import { codeSent } from '../codes/code-sent.ts'
import type { PasswordlessService } from './passwordless.service.ts'

/** Codes for logging in and signing up, and logging in by one. */
export function registerPasswordlessRoutes(
  app: App,
  { passwordless }: { passwordless: PasswordlessService },
): void {
  app.post(
    membershipPaths.passwordlessLoginSend,
    {
      config: { access: 'public' },
      schema: {
        tags: ['Membership: logging in'],
        summary: 'Mails a code for logging in',
        description: 'The answer is the same, in the same time, whether or not the address is known.',
        body: sendCodeRequest,
        response: { 200: doneReply },
      },
    },
    async (request) => {
      await passwordless.send(appOf(request), 'login', request.body, callerOf(request))
      return codeSent
    },
  )

  app.post(
    membershipPaths.passwordlessSignupSend,
    {
      config: { access: 'public' },
      schema: {
        tags: ['Membership: signing up'],
        summary: 'Mails a code for signing up; to an address that has an account, one for logging in',
        body: sendSignupCodeRequest,
        response: { 200: doneReply },
      },
    },
    async (request) => {
      await passwordless.send(appOf(request), 'signup', request.body, callerOf(request))
      return codeSent
    },
  )

  app.post(
    membershipPaths.passwordlessLogin,
    {
      config: { access: 'public' },
      schema: {
        tags: ['Membership: logging in'],
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
