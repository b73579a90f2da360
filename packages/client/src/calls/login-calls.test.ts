import { describeCalls } from '../testing/describe-calls.ts'
import { wireSession } from '../testing/wire-samples.ts'
import { createLoginCalls } from './login-calls.ts'

const email = 'ada@example.com'
/** As a mail app copies an address, and a text its code. */
const pasted = { email: '\u2068Ada <ada@example.com>\u2069\u00a0', code: 'Your code is 123\u2011456.' }
const done = { success: true }
const session = {
  data: wireSession('token-of-bea', { id: 'mem_bea' }),
  message: 'Hello.',
}
const mailed = { data: done, message: 'We have sent a code.' }
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
    ...session,
  },
  loginMemberEmailPassword: {
    act: (client) => client.loginMemberEmailPassword({ email, password: 'a password' }),
    line: 'POST /auth/login',
    body: { email, password: 'a password' },
    ...session,
  },
  sendMemberLoginPasswordlessEmail: {
    act: (client) => client.sendMemberLoginPasswordlessEmail({ email }),
    line: 'POST /auth/passwordless/login/send',
    body: { email },
    ...mailed,
  },
  loginMemberPasswordless: {
    act: (client) => client.loginMemberPasswordless({ email, passwordlessToken: '123456' }),
    line: 'POST /auth/passwordless/login',
    body: { email, passwordlessToken: '123456' },
    ...session,
  },
  sendMemberSignupPasswordlessEmail: {
    act: (client) => client.sendMemberSignupPasswordlessEmail({ email }),
    line: 'POST /auth/passwordless/signup/send',
    body: { email },
    ...mailed,
  },
  signupMemberPasswordless: {
    act: (client) => client.signupMemberPasswordless({ email, passwordlessToken: '123456', plans }),
    line: 'POST /auth/signup?isPasswordless=true',
    body: { email, passwordlessToken: '123456', plans, origin_domain },
    ...session,
  },
  sendMemberResetPasswordEmail: {
    act: (client) => client.sendMemberResetPasswordEmail({ email }),
    line: 'POST /auth/send-reset-password-email',
    body: { email },
    ...mailed,
  },
  resetMemberPassword: {
    act: (client) => client.resetMemberPassword({ token: '123456', newPassword: 'another one' }),
    line: 'POST /auth/reset-password',
    body: { token: '123456', newPassword: 'another one' },
    data: done,
    message: 'Your password has been reset.',
  },
  'resetMemberPassword bound to an address': {
    act: (client) => client.resetMemberPassword({ token: '123456', newPassword: 'another one', email }),
    line: 'POST /auth/reset-password',
    body: { token: '123456', newPassword: 'another one', email },
    data: done,
    message: 'Your password has been reset.',
  },
  sendMemberVerificationEmail: {
    act: (client) => client.sendMemberVerificationEmail(),
    line: 'POST /auth/send-email-verification',
    body: { origin_domain },
    ...mailed,
  },
  verifyMemberEmail: {
    act: (client) => client.verifyMemberEmail({ email, code: '123456' }),
    line: 'POST /auth/verify-email',
    body: { email, code: '123456' },
    data: done,
    message: 'Your address is verified.',
  },
  'signupMemberEmailPassword with a pasted address': {
    act: (client) => client.signupMemberEmailPassword({ email: pasted.email, password: ' \u200bp ' }),
    line: 'POST /auth/signup',
    body: { email, password: ' \u200bp ', origin_domain },
    ...session,
  },
  'loginMemberEmailPassword with a pasted address': {
    act: (client) => client.loginMemberEmailPassword({ email: pasted.email, password: ' \u200bp ' }),
    line: 'POST /auth/login',
    body: { email, password: ' \u200bp ' },
    ...session,
  },
  'sendMemberLoginPasswordlessEmail to a pasted address': {
    act: (client) => client.sendMemberLoginPasswordlessEmail(pasted),
    line: 'POST /auth/passwordless/login/send',
    body: { email },
    ...mailed,
  },
  'loginMemberPasswordless with what was pasted': {
    act: (client) => client.loginMemberPasswordless({ ...pasted, passwordlessToken: pasted.code }),
    line: 'POST /auth/passwordless/login',
    body: { email, passwordlessToken: '123456' },
    ...session,
  },
  'sendMemberSignupPasswordlessEmail to a pasted address': {
    act: (client) => client.sendMemberSignupPasswordlessEmail(pasted),
    line: 'POST /auth/passwordless/signup/send',
    body: { email },
    ...mailed,
  },
  'signupMemberPasswordless with what was pasted': {
    act: (client) =>
      client.signupMemberPasswordless({ email: pasted.email, passwordlessToken: pasted.code, plans }),
    line: 'POST /auth/signup?isPasswordless=true',
    body: { email, passwordlessToken: '123456', plans, origin_domain },
    ...session,
  },
  'sendMemberResetPasswordEmail to a pasted address': {
    act: (client) => client.sendMemberResetPasswordEmail(pasted),
    line: 'POST /auth/send-reset-password-email',
    body: { email },
    ...mailed,
  },
  'resetMemberPassword with what was pasted': {
    act: (client) => client.resetMemberPassword({ ...pasted, token: pasted.code, newPassword: ' \u200bp ' }),
    line: 'POST /auth/reset-password',
    body: { token: '123456', newPassword: ' \u200bp ', email },
    data: done,
    message: 'Done.',
  },
  'verifyMemberEmail with what was pasted': {
    act: (client) => client.verifyMemberEmail(pasted),
    line: 'POST /auth/verify-email',
    body: { email, code: '123456' },
    data: done,
    message: 'Done.',
  },
  logout: {
    act: (client) => client.logout(),
    line: 'POST /member/logout',
    data: { redirect: null },
    message: 'You have logged out.',
  },
})
