import {
  type AnyMethod,
  deliveryMethods,
  factsOf,
  pushMethod,
  type DeliveryMethod as WireMethod,
} from '@tidings/contracts/delivery/methods'

const wireMethods = {
  memo_email: 'memo-email',
  memo_sms: 'memo-sms',
  pdf_email: 'pdf-email',
  pdf_sms: 'pdf-sms',
  digest: 'digest',
  web_push: 'web-push',
} as const satisfies Record<string, AnyMethod>

/** A method as the ledger names it. */
export type DeliveryMethod = keyof typeof wireMethods

/** A method that members choose with a custom field. Notifications are not one: the member's browsers turn them on. */
export type ChosenMethod = Exclude<DeliveryMethod, 'web_push'>

const ledgerMethods: Record<WireMethod, ChosenMethod> = {
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
export function toWireMethod<Method extends DeliveryMethod>(method: Method): (typeof wireMethods)[Method] {
  return wireMethods[method]
}

/** Returns the ledger's name of any method. */
export function fromAnyMethod(method: AnyMethod): DeliveryMethod {
  return method === pushMethod ? 'web_push' : ledgerMethods[method]
}

export function isChosenMethod(method: DeliveryMethod): method is ChosenMethod {
  return method !== 'web_push'
}

/** Returns the ledger's name of a method. */
export function fromWireMethod(method: WireMethod): ChosenMethod {
  return ledgerMethods[method]
}

/** Returns the ledger's methods that reach an address of this kind. */
export function methodsTo(address: 'email' | 'number'): readonly ChosenMethod[] {
  return deliveryMethods.filter((method) => factsOf(method).address === address).map(fromWireMethod)
}

/** Returns the methods that send each edition to addresses of these kinds. The digest sends those of a day. */
export function editionMethodsTo(addresses: readonly ('email' | 'number')[]): readonly ChosenMethod[] {
  return addresses.flatMap(methodsTo).filter((method) => method !== 'digest')
}

/** The methods that editors preview while they write. */
export const previewedMethods = {
  email: 'memo-email',
  sms: 'memo-sms',
  digest: 'digest',
} as const satisfies Record<string, WireMethod>

/** The methods whose deliveries are texts. */
export const smsMethods = methodsTo('number')

export function isSmsMethod(method: DeliveryMethod): boolean {
  return isChosenMethod(method) && smsMethods.includes(method)
}

/** Returns whether deliveries by a method are PDFs, whose pages members choose. */
export function isPdfMethod(method: DeliveryMethod): boolean {
  return isChosenMethod(method) && factsOf(toWireMethod(method)).sends === 'PDFs'
}
