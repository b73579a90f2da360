import { describe, expect, it } from 'vitest'
import { ConfigurationError } from './config/env.ts'
import { fail } from './platform/errors.ts'
import { describeFailure } from './process-lifetime.ts'

describe('what an operator reads about a failure', () => {
  it.each([
    ['a wrong setting', new ConfigurationError('PORT must be a number.'), 'PORT must be a number.'],
    [
      'a copy that would change something at Stripe',
      fail('sending-held', 'other-database'),
      "Nothing was sent or changed, because sending is held. This database was restored or copied into another one on its server. An operator must run 'tidings deliveries confirm-instance'.",
    ],
  ])('says what to do about %s', (_what, error, text) => {
    expect(describeFailure(error)).toBe(text)
  })
})
