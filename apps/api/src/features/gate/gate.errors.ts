import { messages } from '@tidings/contracts/membership/messages'
import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'invalid-password': (problem: 'missing' | 'wrong') =>
    problem === 'missing' ? [400, messages.enterPassword] : [401, messages.invalidPassword],
  'configuration-error': () => [500, messages.configurationError],
  'invalid-contact': () => [400, 'Enter an email address, or a phone number with its area code.'],
})
