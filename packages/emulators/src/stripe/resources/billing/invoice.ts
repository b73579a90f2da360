import { listWithin } from '../../protocol/list.ts'
import type { Metadata } from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import type { Common, Store } from '../../store/store.ts'
import type { DiscountRecord } from '../products/discount.ts'
import type { Tax } from '../products/tax.ts'

export type InvoiceLineRecord = {
  id: string
  /** Before discounts. Negative for a credit. */
  amount: number
  discountAmounts: { amount: number; discountId: string }[]
  /** Missing without automatic tax. */
  tax?: Tax
  description: string
  period: { start: number; end: number }
  priceId: string
  productId: string
  quantity: number
  /** Of the subscription's item. */
  itemDiscounts?: DiscountRecord[]
  isProration: boolean
  subscriptionId: string
  subscriptionItemId: string
  metadata: Metadata
}

type InvoiceStatus = 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'

export type InvoiceRecord = Common & {
  customerId: string
  subscriptionId: string
  status: InvoiceStatus
  billingReason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming'
  currency: string
  number: string | null
  lines: InvoiceLineRecord[]
  discounts: DiscountRecord[]
  subtotal: number
  total: number
  startingBalance: number
  endingBalance: number | null
  amountDue: number
  amountPaid: number
  amountRemaining: number
  attemptCount: number
  attempted: boolean
  autoAdvance: boolean
  /** When a draft is finalized and charged; null for never. */
  finalizesAt: number | null
  nextPaymentAttempt: number | null
  periodStart: number
  periodEnd: number
  finalizedAt: number | null
  paidAt: number | null
  voidedAt: number | null
  markedUncollectibleAt: number | null
  paymentIntentId: string | null
  /** By credit notes after the payment. */
  creditedAmount: number
  testClockId: string | null
}

declare module '../../store/store.ts' {
  interface Records {
    invoice: InvoiceRecord
  }
}

/** Returns an invoice without `payments`, which only `expand` adds. */
export function toWireInvoice(store: Store, invoice: InvoiceRecord): WireObject {
  const customer = store.of('customer').find(invoice.customerId)
  const { id, status, finalizedAt, subscriptionId, total } = invoice
  const pages = finalizedAt === null ? null : `${store.pageOrigin()}/stripe/invoices/${id}`
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: null,
    account_tax_ids: null,
    amount_due: invoice.amountDue,
    amount_overpaid: 0,
    amount_paid: invoice.amountPaid,
    amount_remaining: invoice.amountRemaining,
    amount_shipping: 0,
    application: null,
    attempt_count: invoice.attemptCount,
    attempted: invoice.attempted,
    auto_advance: invoice.autoAdvance,
    automatic_tax: automaticTax(invoice),
    automatically_finalizes_at: status === 'draft' ? invoice.finalizesAt : null,
    billing_reason: invoice.billingReason,
    collection_method: 'charge_automatically',
    created: invoice.created,
    currency: invoice.currency,
    custom_fields: null,
    customer: invoice.customerId,
    customer_account: null,
    customer_address: null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: invoice.discounts.map((discount) => discount.id),
    due_date: null,
    effective_at: finalizedAt,
    ending_balance: invoice.endingBalance,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: pages,
    // There is no PDF; the page can be printed.
    invoice_pdf: pages,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: listWithin(
      invoice.lines.map((line) => toWireLine(invoice, line)),
      `/v1/invoices/${id}/lines`,
    ),
    livemode: false,
    metadata: invoice.metadata,
    next_payment_attempt: invoice.nextPaymentAttempt,
    number: invoice.number,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: {
        metadata: store.of('subscription').find(subscriptionId)?.metadata ?? {},
        subscription: subscriptionId,
      },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: invoice.periodEnd,
    period_start: invoice.periodStart,
    post_payment_credit_notes_amount: invoice.creditedAmount,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: invoice.startingBalance,
    statement_descriptor: null,
    status,
    status_transitions: {
      finalized_at: finalizedAt,
      marked_uncollectible_at: invoice.markedUncollectibleAt,
      paid_at: invoice.paidAt,
      voided_at: invoice.voidedAt,
    },
    subtotal: invoice.subtotal,
    subtotal_excluding_tax: invoice.subtotal - taxSum(invoice, ({ behavior }) => behavior === 'inclusive'),
    test_clock: invoice.testClockId,
    total,
    total_discount_amounts: totalDiscounts(invoice),
    total_excluding_tax: total - taxSum(invoice),
    total_pretax_credit_amounts: [],
    total_taxes: invoice.lines.flatMap(toWireTaxes),
    webhooks_delivered_at: finalizedAt,
  }
}

function toWireLine(invoice: InvoiceRecord, line: InvoiceLineRecord): WireObject {
  const { subscriptionId, subscriptionItemId, isProration } = line
  const details = {
    invoice_item: isProration ? line.id.replace(/^il_/, 'ii_') : null,
    proration: isProration,
    proration_details: isProration ? { credited_items: null } : null,
    subscription: subscriptionId,
  }
  return {
    id: line.id,
    object: 'line_item',
    amount: line.amount,
    currency: invoice.currency,
    description: line.description,
    discount_amounts: line.discountAmounts.map(({ amount, discountId }) => ({
      amount,
      discount: discountId,
    })),
    discountable: !isProration,
    discounts: line.discountAmounts.map(({ discountId }) => discountId),
    invoice: invoice.id,
    livemode: false,
    metadata: line.metadata,
    parent: {
      invoice_item_details: isProration ? details : null,
      subscription_item_details: isProration ? null : { ...details, subscription_item: subscriptionItemId },
      type: isProration ? 'invoice_item_details' : 'subscription_item_details',
    },
    period: line.period,
    pretax_credit_amounts: [],
    pricing: pricingOf(line),
    quantity: line.quantity,
    quantity_decimal: String(line.quantity),
    subscription: subscriptionId,
    subtotal: line.amount,
    taxes: toWireTaxes(line),
  }
}

function automaticTax({ lines }: InvoiceRecord) {
  const enabled = lines.some(({ tax }) => tax !== undefined)
  const status = enabled ? 'complete' : null
  return { disabled_reason: null, enabled, liability: null, provider: enabled ? 'stripe' : null, status }
}

function taxSum({ lines }: InvoiceRecord, isCounted: (tax: Tax) => boolean = () => true): number {
  return lines
    .flatMap(({ tax }) => (tax && isCounted(tax) ? [tax] : []))
    .reduce((sum, tax) => sum + tax.amount, 0)
}

function toWireTaxes({ tax }: InvoiceLineRecord): WireObject[] {
  if (!tax) return []
  return [
    {
      amount: tax.amount,
      tax_behavior: tax.behavior,
      tax_rate_details: null,
      taxability_reason: 'standard_rated',
      taxable_amount: tax.taxable,
      type: 'tax_rate_details',
    },
  ]
}

/** Returns the payment of a finalized invoice as a list. */
export function invoicePayments(invoice: InvoiceRecord) {
  const url = `/v1/invoice_payments?invoice=${invoice.id}`
  const data = invoice.paymentIntentId === null ? [] : [toWireInvoicePayment(invoice)]
  return { object: 'list', data, has_more: false, url }
}

function toWireInvoicePayment(invoice: InvoiceRecord) {
  const { paymentIntentId, status, paidAt } = invoice
  const isCanceled = status === 'void'
  return {
    id: invoice.id.replace(/^in_/, 'inpay_'),
    object: 'invoice_payment',
    amount_paid: status === 'paid' ? invoice.amountPaid : null,
    amount_requested: invoice.amountDue,
    created: invoice.finalizedAt ?? invoice.created,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: paymentIntentId, type: 'payment_intent' },
    status: status === 'paid' ? 'paid' : isCanceled ? 'canceled' : 'open',
    status_transitions: { canceled_at: isCanceled ? invoice.voidedAt : null, paid_at: paidAt },
  }
}

function pricingOf({ priceId, productId, quantity, amount }: InvoiceLineRecord): WireObject {
  return {
    price_details: { price: priceId, product: productId },
    type: 'price_details',
    unit_amount_decimal: String(quantity === 0 ? 0 : amount / quantity),
  }
}

function totalDiscounts({ discounts, lines }: InvoiceRecord) {
  return discounts.map(({ id }) => ({
    amount: lines
      .flatMap(({ discountAmounts }) => discountAmounts)
      .filter(({ discountId }) => discountId === id)
      .reduce((sum, { amount }) => sum + amount, 0),
    discount: id,
  }))
}
