import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advanceToDay, createMember, openBilling } from '../../testing/billing.ts'

type Billing = Awaited<ReturnType<typeof openBilling>>

let billing: Billing

beforeAll(async () => {
  billing = await openBilling()
})
afterAll(() => billing.stop())

const month = { percent_off: 50, duration: 'repeating', duration_in_months: 2 } as const

async function totalsOf(customer: string): Promise<number[]> {
  const { data } = await billing.stripe.invoices.list({ customer })
  return data.map(({ total }) => total).reverse()
}

describe('a discount of a customer', () => {
  test('lowers the invoices of a subscription without discounts until it ends', async () => {
    const { stripe, admin, subscribe } = billing
    const { customerId, clockId } = await createMember(stripe)
    const coupon = await stripe.coupons.create(month)
    await admin.discountCustomer(customerId, coupon.id)
    const { id } = await subscribe(customerId)
    const preview = await stripe.invoices.createPreview({ subscription: id })
    await advanceToDay(stripe, clockId, 70)
    expect([...(await totalsOf(customerId)), preview.total]).toEqual([450, 450, 900, 450])
    expect(await stripe.customers.retrieve(customerId)).toMatchObject({ discount: null })
  })

  test('gives way to the discounts of the subscription', async () => {
    const { stripe, admin, subscribe } = billing
    const { customerId } = await createMember(stripe)
    const [own, other] = [
      await stripe.coupons.create({ percent_off: 10 }),
      await stripe.coupons.create(month),
    ]
    await admin.discountCustomer(customerId, other.id)
    await subscribe(customerId, { discounts: [{ coupon: own.id }] })
    expect(await totalsOf(customerId)).toEqual([810])
  })

  test('is used up by one invoice, or deleted, with an event', async () => {
    const { stripe, admin, subscribe, lastEvent } = billing
    const { customerId } = await createMember(stripe)
    await admin.discountCustomer(customerId, (await stripe.coupons.create({ percent_off: 10 })).id)
    await subscribe(customerId)
    expect(await lastEvent('customer.discount.deleted')).toMatchObject({
      data: { object: { object: 'discount', customer: customerId } },
    })
    await admin.discountCustomer(customerId, (await stripe.coupons.create(month)).id)
    expect(await lastEvent('customer.discount.created')).toMatchObject({
      data: { object: { customer: customerId, source: { type: 'coupon' } } },
    })
    await stripe.customers.deleteDiscount(customerId)
    expect(await stripe.customers.retrieve(customerId)).toMatchObject({ discount: null })
  })

  test('can be left out of a preview', async () => {
    const { stripe, admin, subscribe } = billing
    const { customerId } = await createMember(stripe)
    const { id } = await subscribe(customerId)
    await admin.discountCustomer(customerId, (await stripe.coupons.create(month)).id)
    const customer = await stripe.customers.retrieve(customerId)
    const discount = customer.deleted ? '' : (customer.discount?.id ?? '')
    const total = async (discounts: '' | { discount: string }[]) =>
      (await stripe.invoices.createPreview({ subscription: id, discounts })).total
    expect([await total(''), await total([{ discount }])]).toEqual([900, 450])
  })
})
