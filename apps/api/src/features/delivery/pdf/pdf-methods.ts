import { factsOf } from '@tidings/contracts/delivery/methods'
import type { DeliveryMethod } from '../links/linked-deliveries.repository.ts'
import { isChosenMethod, toWireMethod } from '../methods.ts'

/** Returns whether deliveries by a method are PDFs, whose pages members choose. */
export function isPdfMethod(method: DeliveryMethod): boolean {
  return isChosenMethod(method) && factsOf(toWireMethod(method)).sends === 'PDFs'
}
