import {
  doneReply,
  loginRequest,
  logoutReply,
  passwordlessLoginRequest,
  resetPasswordRequest,
  sendCodeRequest,
  sessionReply,
  signupRequest,
  verifyEmailRequest,
} from '@tidings/contracts/membership/auth'
import { describeCalls } from '../testing/describe-calls.ts'
import { wireSession } from '../testing/wire-samples.ts'
import { createLoginCalls } from './login-calls.ts'

const email = 'ada@example.com'
/** As a mail app copies an address, and a text its code. */
const pasted = { email: '\u2068Ada <ada@example.com>\u2069\u00a0', code: 'Your code is 123\u2011456.' }
const done = { success: true }
const session = {
  schema: sessionReply,
  data: wireSession('token-of-bea', { id: 'mem_bea' }),
  message: 'Hello.',
}
const mailed = { schema: doneReply, data: done, message: 'We have sent a code.' }
const plans = [{ planId: 'pln_free' }]
const origin_domain = 'https://reader.example'

describeCalls(createLoginCalls, {
  signupMemberEmailPassword: {
    act: (client) =>
      client.signupMemberEmailPassword({
        email,
        password: 'a password',
        customFields: { name: 'Ada' },
        metaData: { from: 'mail' },
        plans,
        captchaToken: 'solved',
        rewardfulData: { referral: 'ref-1' },
      }),
    line: 'POST /auth/signup',
    sent: {
      body: {
        email,
        password: 'a password',
        customFields: { name: 'Ada' },
        metaData: { from: 'mail' },
        plans,
        captchaToken: 'solved',
        rewardfulData: { referral: 'ref-1' },
        origin_domain,
      },
      schema: signupRequest,
    },
    ...session,
  },
  loginMemberEmailPassword: {
    act: (client) => client.loginMemberEmailPassword({ email, password: 'a password' }),
    line: 'POST /auth/login',
    sent: { body: { email, password: 'a password' }, schema: loginRequest },
    ...session,
  },
  sendMemberLoginPasswordlessEmail: {
    act: (client) => client.sendMemberLoginPasswordlessEmail({ email }),
    line: 'POST /auth/passwordless/login/send',
    sent: { body: { email }, schema: sendCodeRequest },
    ...mailed,
  },
  loginMemberPasswordless: {
    act: (client) => client.loginMemberPasswordless({ email, passwordlessToken: '123456' }),
    line: 'POST /auth/passwordless/login',
    sent: { body: { email, passwordlessToken: '123456' }, schema: passwordlessLoginRequest },
    ...session,
  },
  sendMemberSignupPasswordlessEmail: {
    act: (client) => client.sendMemberSignupPasswordlessEmail({ email }),
    line: 'POST /auth/passwordless/signup/send',
    sent: { body: { email }, schema: sendCodeRequest },
    ...mailed,
  },
  signupMemberPasswordless: {
    act: (client) => client.signupMemberPasswordless({ email, passwordlessToken: '123456', plans }),
    line: 'POST /auth/signup?isPasswordless=true',
    sent: { body: { email, passwordlessToken: '123456', plans, origin_domain }, schema: signupRequest },
    ...session,
  },
  sendMemberResetPasswordEmail: {
    act: (client) => client.sendMemberResetPasswordEmail({ email }),
    line: 'POST /auth/send-reset-password-email',
    sent: { body: { email }, schema: sendCodeRequest },
    ...mailed,
  },
  resetMemberPassword: {
    act: (client) => client.resetMemberPassword({ token: '123456', newPassword: 'another one' }),
    line: 'POST /auth/reset-password',
    sent: { body: { token: '123456', newPassword: 'another one' }, schema: resetPasswordRequest },
    schema: doneReply,
    data: done,
    message: 'Your password has been reset.',
  },
  'resetMemberPassword bound to an address': {
    act: (client) => client.resetMemberPassword({ token: '123456', newPassword: 'another one', email }),
    line: 'POST /auth/reset-password',
    sent: { body: { token: '123456', newPassword: 'another one', email }, schema: resetPasswordRequest },
    schema: doneReply,
    data: done,
    message: 'Your password has been reset.',
  },
  sendMemberVerificationEmail: {
    act: (client) => client.sendMemberVerificationEmail(),
    line: 'POST /auth/send-email-verification',
    sent: { body: { origin_domain } },
    ...mailed,
  },
  verifyMemberEmail: {
    act: (client) => client.verifyMemberEmail({ email, code: '123456' }),
    line: 'POST /auth/verify-email',
    sent: { body: { email, code: '123456' }, schema: verifyEmailRequest },
    schema: doneReply,
    data: done,
    message: 'Your address is verified.',
  },
  'signupMemberEmailPassword with a pasted address': {
    act: (client) => client.signupMemberEmailPassword({ email: pasted.email, password: ' \u200bp ' }),
    line: 'POST /auth/signup',
    sent: { body: { email, password: ' \u200bp ', origin_domain } },
    ...session,
  },
  'loginMemberEmailPassword with a pasted address': {
    act: (client) => client.loginMemberEmailPassword({ email: pasted.email, password: ' \u200bp ' }),
    line: 'POST /auth/login',
    sent: { body: { email, password: ' \u200bp ' } },
    ...session,
  },
  'sendMemberLoginPasswordlessEmail to a pasted address': {
    act: (client) => client.sendMemberLoginPasswordlessEmail(pasted),
    line: 'POST /auth/passwordless/login/send',
    sent: { body: { email } },
    ...mailed,
  },
  'loginMemberPasswordless with what was pasted': {
    act: (client) => client.loginMemberPasswordless({ ...pasted, passwordlessToken: pasted.code }),
    line: 'POST /auth/passwordless/login',
    sent: { body: { email, passwordlessToken: '123456' } },
    ...session,
  },
  'sendMemberSignupPasswordlessEmail to a pasted address': {
    act: (client) => client.sendMemberSignupPasswordlessEmail(pasted),
    line: 'POST /auth/passwordless/signup/send',
    sent: { body: { email } },
    ...mailed,
  },
  'signupMemberPasswordless with what was pasted': {
    act: (client) =>
      client.signupMemberPasswordless({ email: pasted.email, passwordlessToken: pasted.code, plans }),
    line: 'POST /auth/signup?isPasswordless=true',
    sent: { body: { email, passwordlessToken: '123456', plans, origin_domain } },
    ...session,
  },
  'sendMemberResetPasswordEmail to a pasted address': {
    act: (client) => client.sendMemberResetPasswordEmail(pasted),
    line: 'POST /auth/send-reset-password-email',
    sent: { body: { email } },
    ...mailed,
  },
  'resetMemberPassword with what was pasted': {
    act: (client) => client.resetMemberPassword({ ...pasted, token: pasted.code, newPassword: ' \u200bp ' }),
    line: 'POST /auth/reset-password',
    sent: { body: { token: '123456', newPassword: ' \u200bp ', email } },
    schema: doneReply,
    data: done,
    message: 'Done.',
  },
  'verifyMemberEmail with what was pasted': {
    act: (client) => client.verifyMemberEmail(pasted),
    line: 'POST /auth/verify-email',
    sent: { body: { email, code: '123456' } },
    schema: doneReply,
    data: done,
    message: 'Done.',
  },
  logout: {
    act: (client) => client.logout(),
    line: 'POST /member/logout',
    schema: logoutReply,
    data: { redirect: null },
    message: 'You have logged out.',
  },
})
