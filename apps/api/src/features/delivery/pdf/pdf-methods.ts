import { factsOf } from '@tidings/contracts/delivery-methods'
import type { DeliveryMethod } from '#generated/prisma/client.ts'
import { toWireMethod } from '../methods.ts'

/** Returns whether deliveries by a method are PDFs, whose pages members choose. */
export function isPdfMethod(method: DeliveryMethod): boolean {
  return factsOf(toWireMethod(method)).sends === 'PDFs'
}
