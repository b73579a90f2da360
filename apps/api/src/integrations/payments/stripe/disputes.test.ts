import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newest, type StripeShop, startStripeShop } from '../../../../test/stripe-shop.ts'

let shop: StripeShop
beforeAll(async () => {
  shop = await startStripeShop()
})
afterAll(() => shop.stop())

describe('a dispute', () => {
  async function disputed() {
    const { stripe, controls, monthly } = shop
    const customerId = await shop.join()
    await shop.subscribe(customerId, monthly)
    const { data: charges } = await stripe.charges.list({ customer: customerId })
    const chargeId = charges[0]?.id ?? ''
    return { customerId, chargeId, dispute: await controls.openDispute(chargeId) }
  }

  it('is known while it is open and when it was lost, not when it was won', async () => {
    const { gateway, controls } = shop
    const [lost, won] = [await disputed(), await disputed()]
    const paidAt = shop.clock.now()
    expect(await gateway.findDisputed(lost.customerId)).toEqual({ open: paidAt, lost: null })
    await controls.closeDispute(lost.dispute.id, 'lost')
    await controls.closeDispute(won.dispute.id, 'won')
    expect(await gateway.findDisputed(lost.customerId)).toEqual({ open: null, lost: paidAt })
    expect(await gateway.findDisputed(won.customerId)).toEqual({ open: null, lost: null })
  })

  it('is not one while the bank merely asks', async () => {
    const { gateway, stripe, controls, monthly } = shop
    const customerId = await shop.join()
    await shop.subscribe(customerId, monthly)
    const { data: charges } = await stripe.charges.list({ customer: customerId })
    await controls.openDispute(charges[0]?.id ?? '', { isInquiry: true })
    expect(await gateway.findDisputed(customerId)).toEqual({ open: null, lost: null })
  })

  it('is not there for who just pays', async () => {
    const customerId = await shop.join()
    await shop.subscribe(customerId, shop.monthly)
    expect(await shop.gateway.findDisputed(customerId)).toEqual({ open: null, lost: null })
  })

  it('is traced from the charge to its customer', async () => {
    const { customerId, chargeId } = await disputed()
    expect(await shop.gateway.customerOfCharge(chargeId)).toBe(customerId)
    expect(await shop.gateway.customerOfCharge('ch_neverwas')).toBeNull()
  })

  it('leaves nothing to refund', async () => {
    const { customerId } = await disputed()
    const subscription = await newest(shop.gateway, customerId)
    expect(await shop.gateway.refundLatestInvoice(subscription)).toBe(false)
  })
})
