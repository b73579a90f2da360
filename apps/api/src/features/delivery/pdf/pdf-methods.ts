import type { DeliveryMethod } from '../links/linked-deliveries.repository.ts'

/** Returns whether deliveries by a method are PDFs, whose pages members choose. */
export function isPdfMethod(method: DeliveryMethod): boolean {
  return method === 'pdf_email' || method === 'pdf_sms'
}
