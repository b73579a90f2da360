import type { DeliveryMethod } from '#generated/prisma/client.ts'
import { methodsTo } from '../methods.ts'

/** The methods whose deliveries are texts. */
export const textMethods = methodsTo('number')

export function isTextMethod(method: DeliveryMethod): boolean {
  return textMethods.includes(method)
}
