import type { RefundedPayment } from '#features/mail/index.ts'
import { PaymentsRefusedError } from '#integrations/payments/gateway-errors.ts'
import type { Payment, Refund, RefundReason } from '#integrations/payments/payment-gateway.ts'
import type { Db } from '#platform/database.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { type CustomerRow, findCustomer } from '../customers/customers.repository.ts'
import { readOwnSales } from '../prices/prices.repository.ts'
import { enqueueRefundEmail, type RefundEmailDeps } from './refund-emails.ts'
import {
  createRefundRow,
  findRefundRow,
  listRefundRows,
  type RefundRow,
  updateRefundRow,
} from './refunds.repository.ts'

type Deps = RefundEmailDeps &
  Pick<BillingDeps, 'database' | 'gateway' | 'clock' | 'logger' | 'metrics'> & {
    /** When off, the merchant refunds payments by hand. */
    automaticRefunds: boolean
  }

const logged = {
  refunded: { level: 'info', message: 'payment refunded' },
  failed: { level: 'error', message: 'refund failed' },
  manual: { level: 'warn', message: 'payment needs a manual refund' },
} as const

const failedForMs = 30 * 24 * 3_600_000

/** Refunds duplicate and late payments, each of them once. */
export function createRefundService(deps: Deps) {
  const { database, gateway, clock, logger } = deps
  const refundsTotal = deps.metrics.counter({
    name: 'tidings_payment_refunds_total',
    help: 'Automatic refunds, failed refunds, and payments that the merchant has to refund',
    labelNames: ['status', 'reason'],
  })

  /** Stores a refund and enqueues its email in one transaction. */
  async function store(row: RefundRow, write: (tx: Db, row: RefundRow) => Promise<boolean>): Promise<void> {
    const isNew = await database.transaction(async (tx) => {
      if (!(await write(tx, row))) return false
      await enqueueRefundEmail(tx, deps, row)
      return true
    })
    if (!isNew) return
    const { status, createdAt: _createdAt, updatedAt: _updatedAt, ...details } = row
    refundsTotal.inc({ status, reason: row.reason })
    logger[logged[status].level](details, logged[status].message)
  }

  /** Stores a manual refund of one of our subscriptions that failed. */
  async function storeFailed({ paymentId, customerId, ...refund }: Refund): Promise<void> {
    const customer = customerId === null ? null : await findCustomer(database.db, customerId)
    if (customerId === null || customer === null) return
    const invoice = await gateway.findPaidInvoice(paymentId)
    const own = await readOwnSales(database.db, [customer.appId])
    const subscriptions = await gateway.listSubscriptions(customerId, own)
    if (invoice === null || !subscriptions.some(({ id }) => id === invoice.subscriptionId)) return
    const now = clock.now()
    const row = { paymentIntentId: paymentId, invoiceId: invoice.id, customerId, reason: 'by-merchant' }
    const times = { createdAt: now, updatedAt: now }
    await store({ ...row, ...stateOf({ paymentId, customerId, ...refund }), ...times }, createRefundRow)
  }

  async function syncOne(refund: Refund): Promise<void> {
    const row = await findRefundRow(database.db, refund.paymentId)
    if (row === null) return refund.hasFailed ? await storeFailed(refund) : undefined
    // A failed refund may have been repeated by hand.
    const isOlder = refund.hasFailed ? row.refundId !== refund.id : row.status === 'refunded'
    if (isOlder) return
    await store({ ...row, ...stateOf(refund), updatedAt: clock.now() }, updateRefundRow)
  }

  return {
    /** Refunds an invoice's payments. Returns them with those that earlier calls refunded. */
    async refundInvoice(
      { id: customerId, appId, memberId }: Pick<CustomerRow, 'id' | 'appId' | 'memberId'>,
      invoiceId: string,
      reason: RefundReason,
    ): Promise<RefundedPayment[]> {
      const refunded: RefundedPayment[] = []
      for (const payment of await gateway.listPayments(invoiceId)) {
        const known = await findRefundRow(database.db, payment.id)
        const state = known ?? (await attempt(deps, payment, { invoiceId, reason, appId, memberId }))
        if (state === null) continue
        refunded.push({ amount: state.amount, currency: state.currency, status: state.status })
        if (known !== null) continue
        const now = clock.now()
        const row = { paymentIntentId: payment.id, invoiceId, customerId, reason, ...state }
        await store({ ...row, createdAt: now, updatedAt: now }, createRefundRow)
      }
      return refunded
    },
    /** Stores a refund's status at Stripe, and emails the member if it failed. */
    async sync(refundId: string): Promise<void> {
      const refund = await gateway.findRefund(refundId)
      if (refund !== null) await syncOne(refund)
    },
    /** Syncs the failed refunds of the last 30 days, in case their events were lost. */
    async syncFailed(): Promise<void> {
      const since = new Date(clock.now().getTime() - failedForMs)
      for await (const page of gateway.listFailedRefunds(since)) {
        for (const refund of page) await syncOne(refund)
      }
    },
    /** Returns failed refunds, then those to make by hand, then completed ones. */
    async report(): Promise<RefundRow[]> {
      const lists = await Promise.all(
        (['failed', 'manual', 'refunded'] as const).map((status) => listRefundRows(database.db, status)),
      )
      return lists.flat()
    },
  }
}

export type RefundService = ReturnType<typeof createRefundService>

/** Refunds a payment. Returns null if it is disputed or was refunded by hand. */
async function attempt(
  { gateway, automaticRefunds, logger }: Deps,
  { id: paymentId, ...payment }: Payment,
  order: { invoiceId: string; reason: RefundReason; appId: string; memberId: string | null },
): Promise<Pick<RefundRow, 'amount' | 'currency' | 'status' | 'refundId'> | null> {
  const { amount, currency, refund } = payment
  if (refund !== null) return stateOf(refund)
  if (!automaticRefunds) return { amount, currency, status: 'manual', refundId: null }
  try {
    const made = await gateway.refund({ paymentId, ...order })
    return made && stateOf(made)
  } catch (error) {
    if (!(error instanceof PaymentsRefusedError)) throw error
    logger.warn({ err: error, paymentId }, 'refund refused')
    return { amount, currency, status: 'failed', refundId: null }
  }
}

function stateOf({ id, amount, currency, hasFailed }: Refund) {
  return { refundId: id, amount, currency, status: hasFailed ? ('failed' as const) : ('refunded' as const) }
}
