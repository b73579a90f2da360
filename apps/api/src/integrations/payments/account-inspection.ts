import type { Money, PaymentAccount } from './payment-gateway.ts'

export type InspectedPrice = Money & { id: string; isActive: boolean; isProductActive: boolean }

export type InspectedPortal = {
  id: string
  isActive: boolean
  changesCard: boolean
  cancels: boolean
  showsInvoices: boolean
}

export type WebhookEndpoint = {
  id: string
  url: string
  isEnabled: boolean
  /** `*` stands for all. */
  events: string[]
  /** Null for the account's default version. */
  apiVersion: string | null
}

/** An invoice of a subscription that is not paid, void or uncollectible. */
export type UnpaidInvoice = {
  id: string
  status: 'draft' | 'open'
  createdAt: Date
  attempts: number
  nextAttemptAt: Date | null
  subscriptionId: string
  subscriptionEndedAt: Date | null
  /** The code of the error for which Stripe couldn't finalize it. */
  finalizationError: string | null
}

/** The settings of an account at Stripe. A part is null if the key may not read it. */
export type AccountInspection = {
  account: PaymentAccount
  isRestrictedKey: boolean
  /** Those that a restricted key lacks, in the dashboard's words: `refunds (write)`. */
  missingPermissions: string[]
  settings: {
    canCharge: boolean
    /** Whether the card that pays an invoice on its page replaces the customer's card; null if Stripe doesn't say. */
    keepsInvoiceCard: 'always' | 'offer' | 'never' | null
  } | null
  /** Those of the products that were asked for. */
  prices: InspectedPrice[]
  portals: InspectedPortal[]
  endpoints: WebhookEndpoint[] | null
  /** The version that the site calls Stripe with. */
  apiVersion: string
  tax: { isReady: boolean; missing: string[]; registrations: number } | null
  testClocks: number | null
  unpaid: UnpaidInvoice[]
}

/** Reads the secret key's account, also if it isn't the database's, and changes nothing. Rejects as `PaymentGateway` does. */
export type InspectAccount = (known: {
  productIds: readonly string[]
  portalIds: readonly string[]
}) => Promise<AccountInspection>
