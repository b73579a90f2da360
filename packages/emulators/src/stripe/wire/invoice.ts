import { listWithin } from '../protocol/list.ts'
import type { WireObject } from '../protocol/wire-object.ts'
import type { InvoiceItemRecord, InvoiceLineRecord, InvoiceRecord } from '../records/invoice.ts'
import type { World } from '../world/world.ts'

/** An invoice as Stripe answers it, without what only `expand` brings: `payments` and `confirmation_secret`. */
export function toWireInvoice(world: World, invoice: InvoiceRecord): WireObject {
  const customer = world.of('customer').find(invoice.customerId)
  const { id, status, finalizedAt, subscriptionId, total } = invoice
  const pages = finalizedAt === null ? null : `${world.pageOrigin()}/stripe/invoices/${id}`
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
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
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
    customer_phone: customer?.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: invoice.description,
    discounts: invoice.discounts.map((discount) => discount.id),
    due_date: null,
    effective_at: finalizedAt,
    ending_balance: invoice.endingBalance,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: pages,
    // The page is what prints; there is no other form of it.
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
    parent: subscriptionId && {
      quote_details: null,
      subscription_details: {
        metadata: world.of('subscription').find(subscriptionId)?.metadata ?? {},
        subscription: subscriptionId,
      },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: invoice.periodEnd,
    period_start: invoice.periodStart,
    post_payment_credit_notes_amount: 0,
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
    // Older versions of the API named it here; now `parent` does.
    subscription: null,
    subtotal: invoice.subtotal,
    subtotal_excluding_tax: invoice.subtotal,
    test_clock: invoice.testClockId,
    total,
    total_discount_amounts: totalDiscounts(invoice),
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: finalizedAt,
  }
}

/** A line of an invoice. */
export function toWireLine(invoice: InvoiceRecord, line: InvoiceLineRecord): WireObject {
  const { subscriptionId, subscriptionItemId, invoiceItemId, isProration } = line
  const proration = {
    proration: isProration,
    proration_details: isProration ? { credited_items: null } : null,
  }
  const isOfItem = subscriptionItemId !== null && !isProration
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
      invoice_item_details: isOfItem
        ? null
        : { ...proration, invoice_item: invoiceItemId, subscription: subscriptionId },
      subscription_item_details: isOfItem
        ? {
            ...proration,
            invoice_item: invoiceItemId,
            subscription: subscriptionId,
            subscription_item: subscriptionItemId,
          }
        : null,
      type: isOfItem ? 'subscription_item_details' : 'invoice_item_details',
    },
    period: line.period,
    pretax_credit_amounts: [],
    pricing: pricingOf(line),
    quantity: line.quantity,
    quantity_decimal: String(line.quantity),
    subscription: subscriptionId,
    subtotal: line.amount,
    taxes: [],
  }
}

/** A line that waits for an invoice, or was taken up by one. */
export function toWireInvoiceItem(world: World, item: InvoiceItemRecord): WireObject {
  const { line, subscriptionId } = item
  const customer = world.of('customer').find(item.customerId)
  return {
    id: item.id,
    object: 'invoiceitem',
    amount: line.amount,
    currency: item.currency,
    customer: item.customerId,
    customer_account: null,
    date: item.created,
    description: line.description,
    discountable: !line.isProration,
    discounts: [],
    invoice: item.invoiceId,
    livemode: false,
    metadata: item.metadata,
    net_amount: line.amount,
    parent: subscriptionId && {
      subscription_details: { subscription: subscriptionId, subscription_item: line.subscriptionItemId },
      type: 'subscription_details',
    },
    period: line.period,
    pricing: pricingOf(line),
    proration: line.isProration,
    quantity: line.quantity,
    quantity_decimal: String(line.quantity),
    tax_rates: [],
    test_clock: customer?.testClockId ?? null,
  }
}

/** How an invoice was or is to be paid: the one payment that it has. */
export function toWireInvoicePayment(invoice: InvoiceRecord): WireObject {
  const { paymentIntentId, status, paidAt } = invoice
  const isCanceled = status === 'void'
  return {
    id: invoicePaymentId(invoice),
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

/** The id of an invoice's payment; it follows from the invoice's own. */
export function invoicePaymentId(invoice: InvoiceRecord): string {
  return invoice.id.replace(/^in_/, 'inpay_')
}

/** What `expand` adds to an invoice. */
export function expandedInvoiceFields(world: World, invoice: InvoiceRecord): WireObject {
  const intent = invoice.paymentIntentId ? world.of('paymentIntent').find(invoice.paymentIntentId) : undefined
  return {
    confirmation_secret: intent ? { client_secret: intent.clientSecret, type: 'payment_intent' } : null,
    payments: listWithin(
      invoice.paymentIntentId ? [toWireInvoicePayment(invoice)] : [],
      `/v1/invoice_payments?invoice=${invoice.id}`,
    ),
  }
}

function pricingOf({ priceId, productId, quantity, amount }: InvoiceLineRecord): WireObject | null {
  if (!priceId) return null
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
