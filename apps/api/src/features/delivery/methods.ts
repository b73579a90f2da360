import {
  deliveryMethods,
  factsOf,
  type DeliveryMethod as WireMethod,
} from '@tidings/contracts/delivery/methods'
import type { DeliveryMethod } from './links/linked-deliveries.repository.ts'

const wireMethods = {
  memo_email: 'memo-email',
  memo_sms: 'memo-sms',
  pdf_email: 'pdf-email',
  pdf_sms: 'pdf-sms',
  digest: 'digest',
} as const satisfies Record<DeliveryMethod, WireMethod>

const ledgerMethods: Record<WireMethod, DeliveryMethod> = {
  'memo-email': 'memo_email',
  'memo-sms': 'memo_sms',
  'pdf-email': 'pdf_email',
  'pdf-sms': 'pdf_sms',
  digest: 'digest',
}

/** The deliveries that one email carries together: the PDF is attached to the memos. */
export const sharedEmail = { memos: 'memo_email', pdf: 'pdf_email' } as const satisfies Record<
  string,
  DeliveryMethod
>

/** Returns the name of a method outside of the ledger. */
export function toWireMethod(method: DeliveryMethod): WireMethod {
  return wireMethods[method]
}

/** Returns the ledger's name of a method. */
export function fromWireMethod(method: WireMethod): DeliveryMethod {
  return ledgerMethods[method]
}

/** Returns the ledger's methods that reach an address of this kind. */
export function methodsTo(address: 'email' | 'number'): readonly DeliveryMethod[] {
  return deliveryMethods.filter((method) => factsOf(method).address === address).map(fromWireMethod)
}

/** Returns the methods that send each edition to addresses of these kinds. The digest sends those of a day. */
export function editionMethodsTo(addresses: readonly ('email' | 'number')[]): readonly DeliveryMethod[] {
  return addresses.flatMap(methodsTo).filter((method) => method !== 'digest')
}
