import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Emulator, startEmulator } from '../../testing/start-emulator.ts'
import { addMonths, nextPeriodEnd } from './periods.ts'

let emulator: Emulator
let stripe: Stripe

beforeAll(async () => {
  emulator = await startEmulator()
  stripe = emulator.stripe
})
afterAll(() => emulator.stop())

const now = 1_795_197_600

describe('products and prices', () => {
  test('transfers a lookup key to a new price on request', async () => {
    const { id: product } = await stripe.products.create({ id: 'plan_pro', name: 'Pro' })
    const common = {
      product,
      currency: 'USD',
      lookup_key: 'pro-monthly',
      recurring: { interval: 'month' },
    } as const
    const old = await stripe.prices.create({ ...common, unit_amount: 500 })
    expect(old).toMatchObject({ currency: 'usd', type: 'recurring', unit_amount: 500, product: 'plan_pro' })
    await expect(stripe.prices.create({ ...common, unit_amount: 600 })).rejects.toMatchObject({
      param: 'lookup_key',
    })
    const next = await stripe.prices.create({ ...common, unit_amount: 600, transfer_lookup_key: true })
    const { data } = await stripe.prices.list({ product, active: true })
    expect(data.map(({ id, lookup_key: key }) => [id, key])).toEqual([
      [next.id, 'pro-monthly'],
      [old.id, null],
    ])
    expect(await stripe.prices.retrieve(old.id)).toMatchObject({ active: true, lookup_key: null })
  })

  test('an id can be chosen once', async () => {
    await stripe.products.create({ id: 'chosen', name: 'Chosen' })
    await expect(stripe.products.create({ id: 'chosen', name: 'Again' })).rejects.toMatchObject({
      code: 'resource_already_exists',
    })
  })

  test('emits the former values of a change, and nothing without a change', async () => {
    const product = await stripe.products.create({ name: 'Emitted', metadata: { one: '1', two: '2' } })
    const price = await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 1 })
    const coupon = await stripe.coupons.create({ percent_off: 10, name: 'Emitted' })
    const promotion = { type: 'coupon', coupon: coupon.id } as const
    const code = await stripe.promotionCodes.create({ promotion })
    await stripe.products.update(product.id, { name: 'Emitted' })
    await stripe.prices.update(price.id, { active: true })
    await stripe.products.update(product.id, { metadata: { two: '3' } })
    const { data: all } = await stripe.events.list({ limit: 100 })
    const data = all.filter(({ type }) => type.endsWith('.updated'))
    const ids = [product.id, price.id, coupon.id, code.id]
    const told = data.filter(({ data: { object } }) => 'id' in object && ids.includes(String(object.id)))
    expect(told.map(({ type, data: { previous_attributes } }) => [type, previous_attributes])).toEqual([
      ['product.updated', { metadata: { two: '2' } }],
    ])
  })
})

describe('coupons and promotion codes', () => {
  test('a promotion code names its coupon', async () => {
    const coupon = await stripe.coupons.create({
      percent_off: 25,
      duration: 'repeating',
      duration_in_months: 3,
    })
    expect(coupon.id).toMatch(/^[A-Z0-9]{8}$/)
    const { id } = await stripe.promotionCodes.create({
      promotion: { type: 'coupon', coupon: coupon.id },
      code: 'FALL20',
    })
    const { data } = await stripe.promotionCodes.list({ code: 'fall20', expand: ['data.promotion.coupon'] })
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      id,
      active: true,
      promotion: { coupon: { percent_off: 25, valid: true } },
    })
  })

  test('rejects a second active code with the same text', async () => {
    const { id: coupon } = await stripe.coupons.create({ amount_off: 100, currency: 'usd' })
    const params = { promotion: { type: 'coupon', coupon }, code: 'ALIKE' } as const
    await stripe.promotionCodes.create(params)
    await expect(stripe.promotionCodes.create({ ...params, code: 'alike' })).rejects.toMatchObject({
      param: 'code',
    })
  })

  const senseless: [Stripe.CouponCreateParams, string][] = [
    [{}, 'percent_off'],
    [{ percent_off: 10, amount_off: 100, currency: 'usd' }, 'percent_off'],
    [{ percent_off: 101 }, 'percent_off'],
    [{ amount_off: 100 }, 'currency'],
    [{ percent_off: 10, duration: 'repeating' }, 'duration_in_months'],
    [{ percent_off: 10, redeem_by: now - 1 }, 'redeem_by'],
  ]
  test.each(senseless)('a coupon of %j is rejected', async (params, param) => {
    await expect(stripe.coupons.create(params)).rejects.toMatchObject({ statusCode: 400, param })
  })
})

const at = (text: string) => Date.parse(`${text}T12:00:00Z`) / 1000
const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)

test.each([
  ['2026-01-31', '2026-01-31', 'month', 1, '2026-02-28'],
  ['2026-01-31', '2026-02-28', 'month', 1, '2026-03-31'],
  ['2026-01-31', '2026-03-30', 'month', 1, '2026-03-31'],
  ['2028-01-30', '2028-01-30', 'month', 1, '2028-02-29'],
  ['2026-01-15', '2026-01-15', 'month', 3, '2026-04-15'],
  ['2026-01-15', '2026-12-31', 'month', 1, '2027-01-15'],
  ['2024-02-29', '2024-02-29', 'year', 1, '2025-02-28'],
  ['2024-02-29', '2027-02-28', 'year', 1, '2028-02-29'],
] as const)(
  'a period counted from %s that runs on %s, by %s × %i, ends on %s',
  (anchor, time, interval, intervalCount, end) => {
    expect(dayOf(nextPeriodEnd(at(anchor), at(time), { interval, intervalCount }))).toBe(end)
  },
)

test('a month later keeps the time of day', () => {
  expect(addMonths(at('2026-01-31') + 61, 1)).toBe(at('2026-02-28') + 61)
})
