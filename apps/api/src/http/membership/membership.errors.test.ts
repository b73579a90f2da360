import {
  loginRequest,
  resetPasswordRequest,
  sendCodeRequest,
  setPasswordRequest,
  signupRequest,
  updateAuthRequest,
  verifyEmailRequest,
} from '@tidings/contracts/membership/auth'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { toAppError } from '../errors/error-handler.ts'
import { toMembershipError } from './membership.errors.ts'

/** Returns the error of a body that its schema refuses. */
function errorOf(schema: z.ZodType, body: unknown) {
  const validate = validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' })
  const result = validate(body)
  if (typeof result !== 'object' || !('error' in result)) throw new Error('The schema accepts this body')
  const { error: validation } = result
  return toAppError(toMembershipError(Object.assign(new Error('invalid'), { validation })))
}

const email = 'ann@example.com'
const password = 'a-long-password'
const account = { email, password }

describe('the error of a body', () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ['a login without a body', loginRequest, undefined, 'required-field-missing'],
    ['a login without a password', loginRequest, { email }, 'required-field-missing'],
    ['a login with a number', loginRequest, { email, password: 12_345_678 }, 'invalid-password'],
    ['a login with a list as body', loginRequest, ['a'], 'invalid-request'],
    ['a sign-up with a list as body', signupRequest, [], 'invalid-request'],
    ['a sign-up with a number', signupRequest, { email, password: 12_345_678 }, 'invalid-password'],
    ['a sign-up with a list of fields', signupRequest, { ...account, customFields: [] }, 'invalid-request'],
    ['a sign-up with a text of fields', signupRequest, { ...account, customFields: 'x' }, 'invalid-request'],
    ['a sign-up with a list of metaData', signupRequest, { ...account, metaData: [1] }, 'invalid-request'],
    ['a sign-up with an object of plans', signupRequest, { ...account, plans: {} }, 'invalid-request'],
    [
      'a sign-up with plans without ids',
      signupRequest,
      { ...account, plans: [{}] },
      'required-field-missing',
    ],
    [
      'a sign-up with too many plans',
      signupRequest,
      { ...account, plans: Array(22).fill({ planId: 'x' }) },
      'invalid-request',
    ],
    ['a code for no address', sendCodeRequest, {}, 'required-field-missing'],
    ['a code for a number', sendCodeRequest, { email: 1 }, 'invalid-email'],
    ['a code for a list', sendCodeRequest, { email: [email] }, 'invalid-email'],
    ['a code without a body', sendCodeRequest, undefined, 'required-field-missing'],
    [
      'a reset with a number',
      resetPasswordRequest,
      { token: '123456', newPassword: 12_345_678 },
      'invalid-password',
    ],
    [
      'a reset with a code that is a number',
      resetPasswordRequest,
      { token: 123_456, newPassword: password },
      'invalid-request',
    ],
    [
      'a reset with an endless code',
      resetPasswordRequest,
      { token: '1'.repeat(101), newPassword: password },
      'invalid-request',
    ],
    ['a verification without a code', verifyEmailRequest, { email }, 'required-field-missing'],
    ['a change to an object', updateAuthRequest, { email: {} }, 'invalid-email'],
    ['no first password', setPasswordRequest, {}, 'required-field-missing'],
  ])('is the one of the protocol: %s', (_what, schema, body, code) => {
    expect(errorOf(schema, body)).toMatchObject({ status: 400, code })
  })

  it('names the missing field as people see it', () => {
    expect(errorOf(resetPasswordRequest, { token: '123456' }).message).toBe('Enter your new password.')
    expect(errorOf(verifyEmailRequest, { email }).message).toBe('Enter your code.')
  })
})
