import type { EmailService, RefundedPayment } from '#features/mail/index.ts'
import { findMember } from '#features/members/index.ts'
import {
  type Payment,
  type PaymentGateway,
  PaymentsRefusedError,
  type Refund,
  type RefundReason,
} from '#integrations/payments/payment-gateway.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Db } from '#platform/database.ts'
import type { Logger } from '#platform/logger.ts'
import type { MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import type { Metrics } from '#platform/metrics.ts'
import { type CustomerRow, findCustomer } from '../customers/customers.repository.ts'
import { readOwnSales } from '../prices/prices.repository.ts'
import {
  createRefundRow,
  findRefundRow,
  listRefundRows,
  type RefundRow,
  updateRefundRow,
} from './refunds.repository.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  emails: EmailService
  apps: MembershipApps
  metrics: Metrics
  clock: Clock
  logger: Logger
  /** When off, a payment to be refunded becomes a task for the merchant. */
  automaticRefunds: boolean
}

const logged = {
  refunded: { level: 'info', message: 'payment refunded' },
  failed: { level: 'error', message: 'refund failed: refund the payment by hand' },
  task: { level: 'warn', message: 'payment is to be refunded by hand' },
} as const

const failedForMs = 30 * 24 * 3_600_000

/** Refunds payments that came twice or too late. Each payment once, however often that is asked for. */
export function createRefundService(deps: Deps) {
  const { database, gateway, emails, apps, metrics, clock, logger } = deps

  /** Refunds a payment, or finds out why not; null when it is disputed, or refunded by hand. */
  async function attempt(
    { id: paymentId, ...payment }: Payment,
    order: { invoiceId: string; reason: RefundReason; appId: string; memberId: string | null },
  ): Promise<Pick<RefundRow, 'amount' | 'currency' | 'status' | 'refundId'> | null> {
    const { amount, currency, refund } = payment
    if (refund !== null) return stateOf(refund)
    if (!deps.automaticRefunds) return { amount, currency, status: 'task', refundId: null }
    try {
      const made = await gateway.refund({ paymentId, ...order })
      return made && stateOf(made)
    } catch (error) {
      if (!(error instanceof PaymentsRefusedError)) throw error
      logger.warn({ err: error, paymentId }, 'refund refused')
      return { amount, currency, status: 'failed', refundId: null }
    }
  }

  /** Stores a change in one transaction with the email that tells the member. */
  async function store(row: RefundRow, write: (tx: Db, row: RefundRow) => Promise<boolean>): Promise<void> {
    const isNew = await database.transaction(async (tx) => {
      if (!(await write(tx, row))) return false
      await tellMember(tx, row)
      return true
    })
    if (!isNew) return
    const { status, createdAt: _createdAt, updatedAt: _updatedAt, ...details } = row
    metrics.refunds.inc({ status, reason: row.reason })
    logger[logged[status].level](details, logged[status].message)
  }

  /** A member who deletes the account is told with that. */
  async function tellMember(
    tx: Db,
    { customerId, paymentIntentId, refundId, ...row }: RefundRow,
  ): Promise<void> {
    const customer = await findCustomer(tx, customerId)
    const member = customer?.memberId == null ? null : await findMember(tx, customer.memberId)
    const app = customer === null ? undefined : (await apps.directory()).byId.get(customer.appId)
    if (member === null || app === undefined || row.reason === 'account-deleted') return
    const { amount, currency, status, reason } = row
    const notice = { kind: 'refund', amount, currency, status, isSecond: reason === 'paid-twice' } as const
    const cause = `${status} ${paymentIntentId} ${refundId}`
    await emails.enqueue(tx, app, member.email, notice, { cause })
  }

  /** Stores a refund that failed of a payment for one of our subscriptions, which the merchant had refunded by hand. */
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

  async function followRefund(refund: Refund): Promise<void> {
    const row = await findRefundRow(database.db, refund.paymentId)
    if (row === null) return refund.hasFailed ? await storeFailed(refund) : undefined
    // A refund that failed may have been repeated by hand since.
    const isOlder = refund.hasFailed ? row.refundId !== refund.id : row.status === 'refunded'
    if (isOlder) return
    await store({ ...row, ...stateOf(refund), updatedAt: clock.now() }, updateRefundRow)
  }

  return {
    /** Refunds what an invoice was paid with. Returns what became of each payment, also by earlier calls. */
    async refundInvoice(
      { id: customerId, appId, memberId }: Pick<CustomerRow, 'id' | 'appId' | 'memberId'>,
      invoiceId: string,
      reason: RefundReason,
    ): Promise<RefundedPayment[]> {
      const refunded: RefundedPayment[] = []
      for (const payment of await gateway.listPayments(invoiceId)) {
        const known = await findRefundRow(database.db, payment.id)
        const state = known ?? (await attempt(payment, { invoiceId, reason, appId, memberId }))
        if (state === null) continue
        refunded.push({ amount: state.amount, currency: state.currency, status: state.status })
        if (known !== null) continue
        const now = clock.now()
        const row = { paymentIntentId: payment.id, invoiceId, customerId, reason, ...state }
        await store({ ...row, createdAt: now, updatedAt: now }, createRefundRow)
      }
      return refunded
    },
    /** Stores what became of a refund, and tells the member and the merchant when it failed. */
    async sync(refundId: string): Promise<void> {
      const refund = await gateway.findRefund(refundId)
      if (refund !== null) await followRefund(refund)
    },
    /** Does the same for the refunds of the last month that failed, and of which no event told. */
    async syncFailed(): Promise<void> {
      const since = new Date(clock.now().getTime() - failedForMs)
      for await (const page of gateway.listFailedRefunds(since)) {
        for (const refund of page) await followRefund(refund)
      }
    },
    /** Lists payments whose refund failed or is up to the merchant, then those that were refunded. */
    async report(): Promise<RefundRow[]> {
      const lists = await Promise.all(
        (['failed', 'task', 'refunded'] as const).map((status) => listRefundRows(database.db, status)),
      )
      return lists.flat()
    },
  }
}

export type RefundService = ReturnType<typeof createRefundService>

function stateOf({ id, amount, currency, hasFailed }: Refund) {
  return { refundId: id, amount, currency, status: hasFailed ? ('failed' as const) : ('refunded' as const) }
}
