import type Stripe from 'stripe'
import { afterAll, describe, expect, test } from 'vitest'
import { clockStart, createMember, daySeconds, giveCard, itemOf, openBilling } from '../../testing/billing.ts'
import { refusal } from '../../testing/start-emulator.ts'

const { halfway, prices, stop, stripe, subscribe } = await openBilling()
afterAll(stop)

function firstInvoice({ latest_invoice: id }: Stripe.Subscription) {
  return stripe.invoices.retrieve(String(id), { expand: ['payments.data.payment.payment_intent'] })
}

describe('POST /v1/subscriptions', () => {
  test('charges the first period and activates', async () => {
    const { customerId } = await createMember(stripe)
    const subscription = await subscribe(customerId, { metadata: { member: 'mem_1' } })
    expect(subscription.status).toBe('active')
    expect(subscription.metadata).toEqual({ member: 'mem_1' })
    const item = itemOf(subscription)
    expect(item.current_period_start).toBe(clockStart)
    expect(item.current_period_end).toBe(Date.UTC(2026, 1, 28, 12) / 1000)
    expect(item.price.unit_amount).toBe(900)
    const invoice = await firstInvoice(subscription)
    expect(invoice.status).toBe('paid')
    expect(invoice.amount_paid).toBe(900)
    expect(invoice.billing_reason).toBe('subscription_create')
    expect(invoice.parent?.subscription_details?.subscription).toBe(subscription.id)
    expect(invoice.payments?.data[0]?.payment.payment_intent).toMatchObject({
      status: 'succeeded',
      amount: 900,
    })
  })

  test('emits events in Stripe’s order', async () => {
    const { customerId } = await createMember(stripe)
    await subscribe(customerId)
    const { data } = await stripe.events.list({ limit: 11 })
    expect(data.map(({ type }) => type).reverse()).toEqual([
      'customer.subscription.created',
      'invoice.created',
      'payment_intent.created',
      'invoice.finalized',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.updated',
      'invoice_payment.paid',
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
    ])
    expect(data[0]?.data.previous_attributes).toEqual({ status: 'incomplete' })
  })

  test('a one-time coupon lowers only the first invoice', async () => {
    const { customerId } = await createMember(stripe)
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'once' })
    const subscription = await subscribe(customerId, {
      discounts: [{ coupon: coupon.id }],
      expand: ['latest_invoice.discounts'],
    })
    expect(subscription.discounts).toEqual([])
    expect(subscription.latest_invoice).toMatchObject({
      subtotal: 900,
      total: 450,
      amount_paid: 450,
      discounts: [{ object: 'discount', source: { type: 'coupon', coupon: coupon.id } }],
    })
    expect((await stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(1)
  })

  test('a declined card leaves it incomplete', async () => {
    const { customerId } = await createMember(stripe, 'pm_card_chargeCustomerFail')
    const subscription = await subscribe(customerId)
    expect(subscription.status).toBe('incomplete')
    expect(await firstInvoice(subscription)).toMatchObject({
      status: 'open',
      attempt_count: 1,
      next_payment_attempt: null,
      payments: {
        data: [
          {
            status: 'open',
            payment: {
              payment_intent: {
                status: 'requires_payment_method',
                last_payment_error: { code: 'card_declined', decline_code: 'generic_decline' },
              },
            },
          },
        ],
      },
    })
  })

  test('paying the first invoice with another card activates it', async () => {
    const { customerId } = await createMember(stripe, 'pm_card_chargeCustomerFail')
    const { id, latest_invoice: invoice } = await subscribe(customerId)
    const good = await giveCard(stripe, customerId, 'pm_card_visa')
    const paid = await stripe.invoices.pay(String(invoice), { payment_method: good.id })
    expect(paid.status).toBe('paid')
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
  })

  test('rejects a customer without a card', async () => {
    const customer = await stripe.customers.create({})
    const error = await refusal(subscribe(customer.id))
    expect(error.statusCode).toBe(400)
    expect(error.code).toBe('resource_missing')
  })

  test.each([
    ['an unknown price', { items: [{ price: 'price_none' }] }, 'resource_missing', 'items[0][price]'],
    ['an unknown coupon', { discounts: [{ coupon: 'none' }] }, 'resource_missing', 'coupon'],
  ])('%s is rejected', async (_what, change, code, param) => {
    const { customerId } = await createMember(stripe)
    const error = await refusal(subscribe(customerId, change))
    expect(error.statusCode).toBe(400)
    expect(error.code).toBe(code)
    expect(error.param).toBe(param)
  })
})

describe('GET /v1/subscriptions', () => {
  test('lists a customer’s subscriptions by status, by default without canceled ones', async () => {
    const { customerId } = await createMember(stripe)
    const items = [{ price: prices.monthly.id }]
    const first = await stripe.subscriptions.create({ customer: customerId, items })
    const second = await stripe.subscriptions.create({ customer: customerId, items })
    await stripe.subscriptions.cancel(first.id)
    const idsOf = async (status?: Stripe.SubscriptionListParams.Status) => {
      const { data } = await stripe.subscriptions.list({
        customer: customerId,
        ...(status ? { status } : {}),
      })
      return data.map(({ id }) => id)
    }
    expect(await idsOf()).toEqual([second.id])
    expect(await idsOf('all')).toEqual([second.id, first.id])
    expect(await idsOf('canceled')).toEqual([first.id])
    expect(await idsOf('past_due')).toEqual([])
  })

  test('rejects an unknown customer', async () => {
    const error = await refusal(stripe.subscriptions.list({ customer: 'cus_none' }))
    expect(error.statusCode).toBe(400)
    expect(error).toMatchObject({ code: 'resource_missing', param: 'customer' })
  })

  test('lists the subscriptions of a deleted customer', async () => {
    const { customerId } = await createMember(stripe)
    const { id } = await subscribe(customerId)
    await stripe.customers.del(customerId)
    const { data } = await stripe.subscriptions.list({ customer: customerId, status: 'all' })
    expect(data).toMatchObject([{ id, status: 'canceled' }])
  })
})

describe('DELETE /v1/subscriptions/:id', () => {
  test('cancels at once, and is not found the second time', async () => {
    const { id } = await halfway()
    const canceled = await stripe.subscriptions.cancel(id, { cancellation_details: { comment: 'moved' } })
    expect(canceled.status).toBe('canceled')
    expect(canceled.ended_at).toBe(clockStart + 14 * daySeconds)
    expect(canceled.cancellation_details).toMatchObject({
      comment: 'moved',
      reason: 'cancellation_requested',
    })
    const error = await refusal(stripe.subscriptions.cancel(id))
    expect(error.statusCode).toBe(404)
    expect(error.code).toBe('resource_missing')
  })

  test('an ended subscription cannot be changed', async () => {
    const { id, itemId } = await halfway()
    await stripe.subscriptions.cancel(id)
    const error = await refusal(
      stripe.subscriptions.update(id, { items: [{ id: itemId, price: prices.dearer.id }] }),
    )
    expect(error.statusCode).toBe(400)
  })
})
