import { wireMember } from '@tidings/client/testing/wire-samples'
import { describe, expect, it } from 'vitest'
import { areDone, maskedEmail, stepsOf } from './steps.ts'

describe('the steps of a member', () => {
  it.each([
    [{}, false, false],
    [{ combinestatus: 'true' }, false, false],
    [{ getmemomethodbyemail: false }, true, false],
    [{ getPDFMethodBySMS: true }, true, true],
  ])('with %o, verified %s, are done: %s', (customFields, verified, isDone) => {
    expect(areDone(stepsOf(wireMember({ customFields, verified })))).toBe(isDone)
  })
})

describe('a masked address', () => {
  it.each([
    ['reader@example.com', 'r…@example.com'],
    ['r@example.com', 'r…@example.com'],
    ['"a@b"@example.com', '"…@example.com'],
    ['😀smile@example.com', '😀…@example.com'],
  ])('of %s is %s', (email, masked) => expect(maskedEmail(email)).toBe(masked))
})
