import { messages } from '@tidings/contracts/membership/messages'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { type AppError, createFail } from '#platform/errors.ts'

/** Form fields by the names that people see. */
const fieldNames: Readonly<Record<string, string>> = {
  email: 'email address',
  password: 'password',
  oldPassword: 'current password',
  newPassword: 'new password',
  token: 'code',
  code: 'code',
  passwordlessToken: 'code',
}

/** The errors of a membership call that belong to no feature. */
export const fail = createFail({
  'app-not-found': () => [
    404,
    'No app has this public key. Send it as X-API-Key, and the app’s id as X-APP-ID.',
  ],
  'client/invalid-token': () => [401, messages.invalidToken],
  'domain-not-permitted': () => [403, 'Pages of this origin may not use this app.'],
  'invalid-email': () => [400, messages.invalidEmail],
  'invalid-password': () => [400, 'Enter a valid password.'],
  'invalid-request': () => [400, "'customFields' must be an object with one value per field."],
  'login-required': () => [401, 'Log in first.'],
  'required-field-missing': (field: string) => [400, requiredText(field)],
})

/** Fields whose errors have a code of their own in the protocol. */
const fieldErrors: Readonly<Record<string, () => AppError>> = {
  email: () => fail('invalid-email'),
  password: () => fail('invalid-password'),
  newPassword: () => fail('invalid-password'),
  customFields: () => fail('invalid-request'),
}

/** Returns a body's schema error under the protocol's own code, and any other error unchanged. */
export function toMembershipError(error: unknown): unknown {
  if (!hasZodFastifySchemaValidationErrors(error)) return error
  const [first] = error.validation
  const field = (first?.instancePath ?? '').split('/').filter(Boolean).join('.')
  const isMissing = /received (?:undefined|null)/.test(first?.message ?? '')
  return isMissing ? fail('required-field-missing', field) : (fieldErrors[field]?.() ?? error)
}

function requiredText(field: string): string {
  if (field === '') return 'The request has no body. Send it as JSON.'
  const name = fieldNames[field]
  return name === undefined ? `'${field}' is required.` : `Enter your ${name}.`
}
