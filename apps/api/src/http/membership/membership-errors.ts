import { messages } from '@tidings/contracts/messages'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { AppError } from '#platform/errors.ts'

/** What people call the fields of forms. */
const fieldNames: Readonly<Record<string, string>> = {
  email: 'email address',
  password: 'password',
  oldPassword: 'current password',
  newPassword: 'new password',
  token: 'code',
  code: 'code',
  passwordlessToken: 'code',
}

/** Fields whose refusal has a code of its own in the protocol. */
const fieldRefusals: Readonly<Record<string, AppError>> = {
  email: new AppError('invalid-email', 400, messages.invalidEmail),
  password: new AppError('invalid-password', 400, 'Please enter a valid password.'),
  newPassword: new AppError('invalid-password', 400, 'Please enter a valid password.'),
  customFields: new AppError(
    'invalid-request',
    400,
    "'customFields' has to be an object with a value for each field. Please correct it.",
  ),
}

/** Something that a form has to hold was not there. */
export class RequiredFieldError extends AppError {
  constructor(field: string) {
    const name = fieldNames[field]
    const what = name === undefined ? `'${field}'` : `Your ${name}`
    super('required-field-missing', 400, `${what} is missing. Please fill it in.`)
  }
}

/** A body that does not fit its schema, in the protocol's own codes; anything else as it is. */
export function asMembershipError(error: unknown): unknown {
  if (!hasZodFastifySchemaValidationErrors(error)) return error
  const [first] = error.validation
  const field = (first?.instancePath ?? '').split('/').filter(Boolean).join('.')
  const text = first?.message ?? ''
  if (text.includes('received undefined') || text.includes('received null')) {
    if (field !== '') return new RequiredFieldError(field)
    return new AppError('required-field-missing', 400, 'The body is missing. Please send it as JSON.')
  }
  return fieldRefusals[field] ?? error
}
