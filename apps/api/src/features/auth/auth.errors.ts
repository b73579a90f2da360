import { limits } from '@tidings/contracts/limits'
import { messages } from '@tidings/contracts/membership/messages'
import { createFail } from '#platform/errors.ts'

// The same text for a code that is wrong, used, expired or out of tries.
const wrongCode = 'This code is wrong or expired. Request a new one.'

/** The reasons for a failed login with an identity provider, as the member reads them. */
const connectTexts = {
  cancelled: (name: string) => `You didn’t continue with ${name}. Nothing has changed.`,
  failed: (name: string) => `We couldn’t log you in with ${name}. Try again.`,
  unavailable: (name: string) => `${name} isn’t reachable right now. Try again later.`,
  'no-email': (name: string) => `${name} didn’t share your email address, and we need one for your account.`,
  expired: () => 'This took too long, or you started it in another browser. Start again.',
}

/** The reasons to keep an address on the account that uses it. */
const declineTexts = {
  paying: 'The account pays for a plan',
  'address-taken': 'The account’s previous address is in use again',
}

export const fail = createFail({
  'access-denied': (reason: keyof typeof declineTexts, contact: string) => [
    403,
    `${declineTexts[reason]}, so we can’t remove your address here. Write to ${contact}, and we’ll remove it.`,
  ],
  'account-already-connected': () => [409, 'This login already belongs to an account.'],
  // Only for the owner of the address, whom the provider verified.
  'account-closing': () => [
    409,
    'We’re still closing your former account with this email. Try again later: we’ll email you when it’s done.',
  ],
  'account-connect-failed': (reason: keyof typeof connectTexts, name: string, cause?: unknown) => [
    400,
    connectTexts[reason](name),
    { cause },
  ],
  'account-connect-requires-login': () => [401, 'Log in first. Then you can connect another way to log in.'],
  'account-not-connected': () => [404, 'This login isn’t connected to your account.'],
  'account-not-found': () => [404, 'There’s no account for this login yet. Sign up first.'],
  'account-set-password-before-disconnect': () => [
    409,
    'Set a password first. Otherwise you couldn’t log in anymore.',
  ],
  'email-already-in-use': () => [409, 'This email is already in use. Log in, or use another one.'],
  'email-unreachable': (letter: string) => [
    400,
    `Our mail server can’t reach addresses with letters such as ${letter} before the @. Use another address.`,
  ],
  'invalid-captcha': () => [400, 'Complete the security check and try again.'],
  // At login the same for an unknown address, a wrong password and an account without one. A logged-in member's own
  // wrong password is no 401: the session stays valid.
  'invalid-credentials': (call: 'login' | 'account') =>
    call === 'login'
      ? [401, 'Your email or password is incorrect. Check both and try again.']
      : [400, 'Your password is incorrect. Check it and try again.'],
  'invalid-email': () => [400, messages.invalidEmail],
  'invalid-password': (problem: 'too-long' | 'already-set') => [
    400,
    problem === 'too-long'
      ? `Use at most ${limits.passwordCharacters.max} characters for your password.`
      : 'Your account already has a password. Use it to set a new one.',
  ],
  'invalid-password-too-short': () => [400, messages.passwordTooShort],
  'invalid-passwordless-login-code': () => [400, wrongCode],
  'invalid-reset-code': () => [400, wrongCode],
  'invalid-verification-code': () => [400, wrongCode],
  'no-password-set': () => [400, 'Your account has no password yet. Set one first.'],
  'not-found': () => [404, 'This site’s captcha has no challenges.'],
  'passwordless-disabled': () => [403, 'You can’t log in with a code here. Use your password.'],
  'provider-not-found': () => [404, 'You can’t log in this way here. Choose another way.'],
  'session-not-found': () => [404, 'This device is already logged out.'],
  'use-email-login': () => [
    409,
    'This email already has an account. Log in with it first, then connect this login.',
  ],
})
