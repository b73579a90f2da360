import { describe, expect, it } from 'vitest'
import { createFail, fail, hasCode } from './errors.ts'

const failHere = createFail({
  'memo-not-found': () => [404, 'This memo does not exist.'],
  'plan-change-not-possible': (currency: string, cause?: unknown) => [
    409,
    `You pay in ${currency}.`,
    { cause, details: { currency } },
  ],
})

describe('fail', () => {
  it('returns an error with the code, status and text of the catalog', () => {
    const error = failHere('memo-not-found')

    expect([error.code, error.status, error.message]).toEqual([
      'memo-not-found',
      404,
      'This memo does not exist.',
    ])
  })

  it('passes its arguments to the text, details and cause', () => {
    const cause = new Error('refused')

    const error = failHere('plan-change-not-possible', 'EUR', cause)

    expect([error.message, error.details, error.cause]).toEqual([
      'You pay in EUR.',
      { currency: 'EUR' },
      cause,
    ])
  })

  it('accepts only the codes of its catalog with their arguments', () => {
    // @ts-expect-error: this catalog has no such code.
    expect(() => failHere('edition-not-found')).toThrow()
    // @ts-expect-error: the currency is missing.
    expect(failHere('plan-change-not-possible').message).toBe('You pay in undefined.')
  })
})

it('hasCode matches one of several codes', () => {
  expect(hasCode(fail('service-busy'), 'memo-not-found', 'service-busy')).toBe(true)
  expect(hasCode(fail('service-busy'), 'memo-not-found')).toBe(false)
  expect(hasCode(new Error('service-busy'), 'service-busy')).toBe(false)
})
