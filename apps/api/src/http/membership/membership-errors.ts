import { messages } from '@tidings/contracts/messages'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { AppError } from '../../platform/errors.ts'

/** Fields whose refusal has a code of its own in the protocol. */
const fieldRefusals: Readonly<Record<string, AppError>> = {
  email: new AppError('invalid-email', 400, messages.invalidEmail),
  password: new AppError('invalid-password', 400, 'Please enter a valid password.'),
  newPassword: new AppError('invalid-password', 400, 'Please enter a valid password.'),
}

/** A body that does not fit its schema, in the protocol's own codes; anything else as it is. */
export function asMembershipError(error: unknown): unknown {
  if (!hasZodFastifySchemaValidationErrors(error)) return error
  const [first] = error.validation
  const field = (first?.instancePath ?? '').split('/').filter(Boolean).join('.')
  const text = first?.message ?? ''
  if (text.includes('received undefined') || text.includes('received null')) {
    const what = field === '' ? 'The body' : `'${field}'`
    return new AppError('required-field-missing', 400, `${what} is missing. Please fill it in.`)
  }
  return fieldRefusals[field] ?? error
}
