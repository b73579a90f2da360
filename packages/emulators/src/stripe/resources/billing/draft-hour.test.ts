import { afterAll, describe, expect, test } from 'vitest'
import {
  advanceToDay,
  amountsOf,
  clockStart,
  createMember,
  daySeconds,
  giveCard,
  openBilling,
} from '../../testing/billing.ts'
import { refusal } from '../../testing/start-emulator.ts'

const { lastEvent, latestInvoice, prices, stop, stripe, subscribe } = await openBilling()
afterAll(stop)

const hour = 1 / 24

/** Creates a member whose renewal of a second ago is a draft. */
async function renewing(balance = 0) {
  const member = await createMember(stripe)
  const { id } = await subscribe(member.customerId)
  await stripe.customers.update(member.customerId, { balance })
  await advanceToDay(stripe, member.clockId, 28)
  const draft = await latestInvoice(await stripe.subscriptions.retrieve(id))
  return { ...member, id, draft }
}

async function chargesOf(customer: string) {
  return (await stripe.charges.list({ customer })).data.map(({ amount }) => amount)
}

describe('the invoice of a renewal', () => {
  test('is a draft for an hour, and then finalized and charged', async () => {
    const { clockId, customerId, id, draft } = await renewing()
    const renewedAt = clockStart + 28 * daySeconds
    expect(draft).toMatchObject({
      status: 'draft',
      auto_advance: true,
      created: renewedAt,
      automatically_finalizes_at: renewedAt + 3_600,
      number: null,
      hosted_invoice_url: null,
    })
    expect((await lastEvent('invoice.created'))?.data.object).toMatchObject({ id: draft.id, status: 'draft' })
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
    expect(await chargesOf(customerId)).toEqual([900])
    await advanceToDay(stripe, clockId, 28 + hour)
    expect(await stripe.invoices.retrieve(draft.id)).toMatchObject({
      status: 'paid',
      automatically_finalizes_at: null,
      status_transitions: { finalized_at: renewedAt + 3_600, paid_at: renewedAt + 3_600 },
    })
    expect(await chargesOf(customerId)).toEqual([900, 900])
  })

  test('is still charged after a cancellation in its hour', async () => {
    const { clockId, customerId, id, draft } = await renewing()
    await stripe.subscriptions.cancel(id)
    expect(await stripe.invoices.retrieve(draft.id)).toMatchObject({ status: 'draft', auto_advance: true })
    await advanceToDay(stripe, clockId, 29)
    expect((await stripe.invoices.retrieve(draft.id)).status).toBe('paid')
    expect(await chargesOf(customerId)).toEqual([900, 900])
  })

  test('is not charged after the customer is deleted', async () => {
    const { clockId, customerId, draft } = await renewing()
    await stripe.customers.del(customerId)
    await advanceToDay(stripe, clockId, 29)
    expect((await stripe.invoices.retrieve(draft.id)).status).toBe('draft')
  })

  test('is charged once beside an upgrade in its hour', async () => {
    const { clockId, customerId, id, draft } = await renewing()
    const [item] = (await stripe.subscriptions.retrieve(id)).items.data
    const items = [{ id: item?.id ?? '', price: prices.yearly.id }]
    const preview = await stripe.invoices.createPreview({
      subscription: id,
      subscription_details: { items, proration_behavior: 'always_invoice' },
    })
    const changed = await stripe.subscriptions.update(id, { items, proration_behavior: 'always_invoice' })
    expect(amountsOf(await latestInvoice(changed))).toEqual([-900, 9_000])
    expect(preview.amount_due).toBe(8_100)
    await advanceToDay(stripe, clockId, 29)
    expect((await stripe.invoices.retrieve(draft.id)).status).toBe('paid')
    expect(await chargesOf(customerId)).toEqual([900, 8_100, 900])
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
  })

  test('makes an upgraded subscription past due until it is paid', async () => {
    const { clockId, customerId, id, draft } = await renewing()
    const [item] = (await stripe.subscriptions.retrieve(id)).items.data
    await stripe.subscriptions.update(id, { items: [{ id: item?.id ?? '', price: prices.yearly.id }] })
    await giveCard(stripe, customerId, 'pm_card_chargeCustomerFail')
    await advanceToDay(stripe, clockId, 29)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('past_due')
    const card = await giveCard(stripe, customerId, 'pm_card_visa')
    await stripe.invoices.pay(draft.id, { payment_method: card.id })
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
  })
})

describe('a draft', () => {
  test('that does not advance is never charged', async () => {
    const { clockId, customerId, draft } = await renewing()
    const held = await stripe.invoices.update(draft.id, { auto_advance: false })
    expect(held).toMatchObject({ status: 'draft', auto_advance: false, automatically_finalizes_at: null })
    await advanceToDay(stripe, clockId, 30)
    expect((await stripe.invoices.retrieve(draft.id)).status).toBe('draft')
    expect(await chargesOf(customerId)).toEqual([900])
  })

  test('is finalized by hand and then voided, not before', async () => {
    const { draft, clockId, customerId } = await renewing()
    expect((await refusal(stripe.invoices.voidInvoice(draft.id))).statusCode).toBe(400)
    const open = await stripe.invoices.finalizeInvoice(draft.id, { auto_advance: false })
    expect(open).toMatchObject({ status: 'open', auto_advance: false, next_payment_attempt: null })
    expect((await refusal(stripe.invoices.finalizeInvoice(draft.id))).statusCode).toBe(400)
    expect((await stripe.invoices.voidInvoice(draft.id)).status).toBe('void')
    expect((await refusal(stripe.invoices.update(draft.id, { auto_advance: true }))).statusCode).toBe(400)
    await advanceToDay(stripe, clockId, 30)
    expect(await chargesOf(customerId)).toEqual([900])
  })

  test('that credit covers is paid from it, which a credit note returns once', async () => {
    const { draft, customerId } = await renewing(-1_000)
    const paid = await stripe.invoices.finalizeInvoice(draft.id, { auto_advance: false })
    expect(paid).toMatchObject({
      status: 'paid',
      amount_paid: 0,
      starting_balance: -1_000,
      ending_balance: -100,
    })
    const note = { invoice: draft.id, amount: 900, credit_amount: 900 }
    await stripe.creditNotes.create(note)
    expect(await stripe.customers.retrieve(customerId)).toMatchObject({ balance: -1_000 })
    expect(await stripe.invoices.retrieve(draft.id)).toMatchObject({ post_payment_credit_notes_amount: 900 })
    expect((await refusal(stripe.creditNotes.create(note))).statusCode).toBe(400)
  })
})
