import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'invalid-phone': () => [400, 'Add a mobile number to your account, then try again.'],
  'email-not-verified': () => [
    403,
    'Confirm your email address first: enter the code that we emailed you. Then we can text you a code.',
  ],
  'phone-refused': (hasStopped: boolean) => [
    400,
    hasStopped
      ? 'This number replied STOP to our texts. Text START to the number that sent them, then try again.'
      : 'This number can’t receive texts. Check it, or use another one.',
  ],
  // The same text for a code that is wrong, used, expired or out of tries.
  'invalid-verification-code': () => [400, 'This code is wrong or expired. Request a new one.'],
  'service-unavailable': () => [503, 'We can’t send texts right now. Try again later.'],
})
