import { afterAll, describe, expect, test } from 'vitest'
import { createMember, openBilling } from '../../testing/billing.ts'
import { refusal } from '../../testing/start-emulator.ts'

const { admin, lastEvent, paidMember, stop, stripe, subscribe } = await openBilling()
afterAll(stop)

describe('refunds', () => {
  test('refunds a part, then the rest, then no more', async () => {
    const { charge } = await paidMember()
    const part = await stripe.refunds.create({
      charge: charge.id,
      amount: 300,
      reason: 'requested_by_customer',
    })
    expect(part).toMatchObject({ amount: 300, status: 'succeeded', payment_intent: charge.payment_intent })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 300, refunded: false })
    const rest = await stripe.refunds.create({ payment_intent: String(charge.payment_intent) })
    expect(rest.amount).toBe(600)
    const after = await stripe.charges.retrieve(charge.id)
    expect(after).toMatchObject({ amount_refunded: 900, refunded: true })
    expect(after.refunds?.data.map(({ amount }) => amount)).toEqual([600, 300])
    const error = await refusal(stripe.refunds.create({ charge: charge.id }))
    expect(error.code).toBe('charge_already_refunded')
  })

  test('rejects more than the remaining amount', async () => {
    const { charge } = await paidMember()
    const error = await refusal(stripe.refunds.create({ charge: charge.id, amount: 901 }))
    expect(error.statusCode).toBe(400)
    expect(error.param).toBe('amount')
  })

  test('rejects a failed charge', async () => {
    const member = await createMember(stripe, 'pm_card_chargeCustomerFail')
    await subscribe(member.customerId)
    const [charge] = (await stripe.charges.list({ customer: member.customerId })).data
    expect(charge).toMatchObject({ status: 'failed', paid: false, failure_code: 'card_declined' })
    const error = await refusal(stripe.refunds.create({ charge: charge?.id ?? '' }))
    expect(error.statusCode).toBe(400)
    const paymentIntent = String(charge?.payment_intent)
    const ofIntent = await refusal(stripe.refunds.create({ payment_intent: paymentIntent }))
    expect(ofIntent).toMatchObject({ statusCode: 400, param: 'payment_intent' })
    expect(ofIntent.message).toContain('does not have a successful charge to refund')
  })

  test('rejects a charge together with a payment intent', async () => {
    const { charge } = await paidMember()
    const both = { charge: charge.id, payment_intent: String(charge.payment_intent) }
    expect((await refusal(stripe.refunds.create(both))).statusCode).toBe(400)
  })

  test('a failed refund restores the charged amount', async () => {
    const { charge } = await paidMember()
    const { id } = await stripe.refunds.create({ charge: charge.id })
    await admin.failRefund(id)
    expect((await stripe.refunds.retrieve(id)).status).toBe('failed')
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 0, refunded: false })
    expect((await lastEvent('refund.failed'))?.data.object).toMatchObject({ id, status: 'failed' })
  })

  test('emit the refunded charge', async () => {
    const { charge } = await paidMember()
    await stripe.refunds.create({ charge: charge.id })
    const event = await lastEvent('charge.refunded')
    expect(event?.data.object).toMatchObject({ id: charge.id, refunded: true })
    expect(event?.data.previous_attributes).toMatchObject({ refunded: false, amount_refunded: 0 })
  })
})

describe('disputes', () => {
  test('a lost dispute withdraws the charge and blocks refunds', async () => {
    const { charge } = await paidMember()
    const { id } = await admin.openDispute(charge.id)
    const [dispute] = (await stripe.disputes.list({ charge: charge.id })).data
    expect(dispute).toMatchObject({ id, amount: 900, status: 'needs_response', reason: 'fraudulent' })
    expect((await stripe.charges.retrieve(charge.id)).disputed).toBe(true)
    expect((await lastEvent('charge.dispute.created'))?.data.object).toMatchObject({ id })
    const error = await refusal(stripe.refunds.create({ charge: charge.id }))
    expect(error.code).toBe('charge_disputed')
    await admin.closeDispute(id, 'lost')
    expect((await lastEvent('charge.dispute.closed'))?.data.object).toMatchObject({ status: 'lost' })
  })

  test('a won dispute allows a refund', async () => {
    const { charge } = await paidMember()
    const { id } = await admin.openDispute(charge.id)
    await admin.closeDispute(id, 'won')
    expect((await stripe.refunds.create({ charge: charge.id })).status).toBe('succeeded')
  })

  test('an inquiry withdraws nothing and allows a refund', async () => {
    const { charge } = await paidMember()
    const withdrawn = await lastEvent('charge.dispute.funds_withdrawn')
    const { id } = await admin.openDispute(charge.id, { status: 'warning_needs_response' })
    const [inquiry] = (await stripe.disputes.list({ charge: charge.id })).data
    expect(inquiry).toMatchObject({ id, status: 'warning_needs_response', is_charge_refundable: true })
    expect((await lastEvent('charge.dispute.created'))?.data.object).toMatchObject({ id })
    expect((await lastEvent('charge.dispute.funds_withdrawn'))?.id).toBe(withdrawn?.id)
    expect((await stripe.refunds.create({ charge: charge.id })).status).toBe('succeeded')
  })

  test('rejects an unknown or fully refunded charge', async () => {
    await expect(admin.openDispute('ch_none')).rejects.toThrow('400')
    const { charge } = await paidMember()
    await stripe.refunds.create({ charge: charge.id })
    await expect(admin.openDispute(charge.id)).rejects.toThrow('400')
  })
})
