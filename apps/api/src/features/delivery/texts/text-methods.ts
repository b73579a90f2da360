import type { DeliveryMethod } from '../links/linked-deliveries.repository.ts'
import { methodsTo } from '../methods.ts'

/** The methods whose deliveries are texts. */
export const textMethods = methodsTo('number')

export function isTextMethod(method: DeliveryMethod): boolean {
  return textMethods.includes(method)
}
