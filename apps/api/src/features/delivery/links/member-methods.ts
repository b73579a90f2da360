import type { DeliveryMethod } from './linked-deliveries.repository.ts'

/** Each delivery method: its name for members and the custom field that turns it on. */
export const memberMethods = [
  ['memo_email', 'Memo by e-mail', 'getmemomethodbyemail'],
  ['memo_sms', 'Memo by SMS', 'getmemomethodbysms'],
  ['pdf_email', 'PDF by e-mail', 'getPDFMethodByEmail'],
  ['pdf_sms', 'PDF by SMS', 'getPDFMethodBySMS'],
  ['digest', 'Evening digest', 'combinestatus'],
] as const satisfies readonly (readonly [DeliveryMethod, string, string])[]

type Fields = Readonly<Record<string, unknown>>

/** Returns the methods that a member's custom fields turn on. Clients may store booleans as text. */
export function methodsOf(fields: Fields): Set<DeliveryMethod> {
  const isOn = (field: string) => fields[field] === true || fields[field] === 'true'
  return new Set(memberMethods.flatMap(([method, , field]) => (isOn(field) ? [method] : [])))
}

/** Returns the custom fields with one method turned off. */
export function withoutMethod(fields: Fields, method: DeliveryMethod): Record<string, unknown> {
  const field = memberMethods.find(([name]) => name === method)?.[2]
  return field === undefined ? { ...fields } : { ...fields, [field]: false }
}

/** Returns the custom fields with one method turned on. */
export function withMethod(fields: Fields, method: DeliveryMethod): Record<string, unknown> {
  return withMethods(fields, methodsOf(fields).add(method))
}

/**
 * Returns the custom fields with these methods only. The digest replaces the others; memos chosen while the digest was on
 * replace it.
 */
export function withMethods(fields: Fields, chosen: ReadonlySet<DeliveryMethod>): Record<string, unknown> {
  const before = methodsOf(fields)
  const isReplaced = (['memo_email', 'memo_sms'] as const).some((method) => chosen.has(method))
  const isDigest = chosen.has('digest') && !(before.has('digest') && isReplaced)
  const kept = (method: DeliveryMethod) => (method === 'digest' ? isDigest : chosen.has(method) && !isDigest)
  return { ...fields, ...Object.fromEntries(memberMethods.map(([method, , field]) => [field, kept(method)])) }
}
