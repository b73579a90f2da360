import type { Common } from '../../store/common.ts'

export type CustomerRecord = Common & {
  email: string | null
  name: string | null
  description: string | null
  testClockId: string | null
  /** `invoice_settings.default_payment_method`. */
  defaultPaymentMethodId: string | null
  /** Negative: credit that the next invoices use up. */
  balance: number
  invoicePrefix: string
  nextInvoiceNumber: number
  deleted: boolean
}

/** What a card does when it is charged. `attaches-then-declines` can be saved and fails at every charge. */
export type CardBehavior =
  | 'succeeds'
  | 'declines'
  | 'declines-insufficient-funds'
  | 'needs-authentication'
  | 'attaches-then-declines'

export type PaymentMethodRecord = Common & {
  customerId: string | null
  brand: string
  last4: string
  expMonth: number
  expYear: number
  funding: 'credit' | 'debit'
  /** The same for the same card. */
  fingerprint: string
  behavior: CardBehavior
}
