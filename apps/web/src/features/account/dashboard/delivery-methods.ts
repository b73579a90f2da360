import type { AccountDetails } from '../details/account-details.ts'

/** How a member receives editions. */
export type DeliveryMethods = {
  memoByEmail: boolean
  memoBySms: boolean
  pdfByEmail: boolean
  pdfBySms: boolean
  digest: boolean
}

export type DeliveryMethod = keyof DeliveryMethods

/** The switches in their order: the method, its label and its custom field. */
export const deliverySwitches = [
  ['memoByEmail', 'Memo by e-mail', 'getmemomethodbyemail'],
  ['memoBySms', 'Memo by SMS', 'getmemomethodbysms'],
  ['pdfByEmail', 'PDF by e-mail', 'getPDFMethodByEmail'],
  ['pdfBySms', 'PDF by SMS', 'getPDFMethodBySMS'],
  ['digest', 'Evening digest', 'combinestatus'],
] as const satisfies readonly (readonly [DeliveryMethod, string, string])[]

const none: DeliveryMethods = {
  memoByEmail: false,
  memoBySms: false,
  pdfByEmail: false,
  pdfBySms: false,
  digest: false,
}

/** Reads the delivery methods from a member's custom fields. Clients may store booleans as text. */
export function deliveryMethodsOf(customFields: Readonly<Record<string, unknown>>): DeliveryMethods {
  const methods = { ...none }
  for (const [method, , field] of deliverySwitches)
    methods[method] = customFields[field] === true || customFields[field] === 'true'
  return methods
}

/** Returns the custom fields that store the delivery methods. */
export function fieldsOfMethods(methods: DeliveryMethods): Record<string, boolean> {
  return Object.fromEntries(deliverySwitches.map(([method, , field]) => [field, methods[method]]))
}

/** Turns a method on or off. The digest replaces the other four; memos by email or SMS replace the digest. */
export function withMethod(methods: DeliveryMethods, method: DeliveryMethod, isOn: boolean): DeliveryMethods {
  if (isOn && method === 'digest') return { ...none, digest: true }
  const replacesDigest = isOn && (method === 'memoByEmail' || method === 'memoBySms')
  return { ...methods, [method]: isOn, ...(replacesDigest ? { digest: false } : {}) }
}

/**
 * Returns whether the dashboard refuses to save: only memos by SMS are on, and a detail is missing (kept, ADR 0005).
 */
export function isDetailMissing(methods: DeliveryMethods, details: AccountDetails): boolean {
  const { memoByEmail, memoBySms, pdfByEmail, pdfBySms, digest } = methods
  if (memoByEmail || pdfBySms || pdfByEmail || digest || !memoBySms) return false
  return Object.values(details).some((value) => value.trim() === '')
}
