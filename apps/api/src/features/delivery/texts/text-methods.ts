import type { DeliveryMethod } from '../links/linked-deliveries.repository.ts'
import { isChosenMethod, methodsTo } from '../methods.ts'

/** The methods whose deliveries are texts. */
export const textMethods = methodsTo('number')

export function isTextMethod(method: DeliveryMethod): boolean {
  return isChosenMethod(method) && textMethods.includes(method)
}
