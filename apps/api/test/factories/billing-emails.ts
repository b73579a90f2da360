import { billingEmailsFor } from '#features/billing/sync/billing-emails.ts'
import type { ConnectionState, StoredConnection } from '#features/billing/sync/plan-connections.repository.ts'
import type { Renewals } from '#features/billing/sync/plan-connections.ts'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import { testConnectionState, testInvoice, testPrice, testSubscription } from './subscriptions.ts'

const createdAt = new Date('2026-08-20T17:00:00Z')

/** The latest invoice, paid with a discount. */
export const paidInvoice = testInvoice({
  id: 'in_2',
  amount: 450,
  url: 'https://pay.example.com/in_2',
  priceIds: ['price_1'],
})

/** No longer sold; members with a scheduled change still pay its amount. */
const yearlyPrice = testPrice('price_2', 'pln_yearly', {
  priceId: 'prc_yearly',
  amount: 4_500,
  interval: 'yearly',
  current: false,
})

const names = {
  planName: (planId: string) => ({ pln_monthly: 'Monthly', pln_yearly: 'Yearly' })[planId] ?? 'Tidings',
  prices: new Map([['price_2', yearlyPrice]]),
  graceMs: 7 * 24 * 3_600_000,
}

/** A change of a stored connection; `before` is null when there was none. */
export type ConnectionChange = {
  before?: Partial<ConnectionState> | null
  after?: Partial<ConnectionState>
  as?: Partial<Subscription>
  renewals?: Renewals
}

/** Returns the emails about a change from the paid monthly plan, and their causes. */
export function emailsAbout(
  { before = {}, after = {}, as = {}, renewals = new Map() }: ConnectionChange,
  storedAt = createdAt,
) {
  const row: StoredConnection = {
    id: 'con_1',
    memberId: 'mem_1',
    type: 'subscription',
    createdAt,
    ...testConnectionState,
    ...before,
  }
  return billingEmailsFor(
    {
      stored: before === null ? [] : [row],
      wanted: [{ ...testConnectionState, ...after }],
      subscriptions: [testSubscription({ createdAt, priceId: 'price_1', latestInvoice: paidInvoice, ...as })],
    },
    { ...names, renewals, storedAt },
  )
}
