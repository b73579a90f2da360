import type { DeliveryMethod } from '../links/linked-deliveries.repository.ts'

/** The methods whose deliveries are texts. */
export const textMethods = ['memo_sms', 'pdf_sms'] as const satisfies readonly DeliveryMethod[]

export function isTextMethod(method: DeliveryMethod): boolean {
  return textMethods.some((each) => each === method)
}
