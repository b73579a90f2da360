import { afterAll, expect, test } from 'vitest'
import { daySeconds, giveCard, openBilling } from '../../testing/billing.ts'
import { testNow } from '../../testing/start-emulator.ts'

const now = testNow().getTime() / 1_000
const { prices, stop, stripe } = await openBilling()
afterAll(stop)

test('a subscription with paused collection stays active, and its renewals stay drafts until it resumes', async () => {
  const { customers, subscriptions, invoices, testHelpers } = stripe
  const clock = await testHelpers.testClocks.create({ frozen_time: now })
  const { id: customer } = await customers.create({ test_clock: clock.id })
  await giveCard(stripe, customer, 'pm_card_visa')
  const { id } = await subscriptions.create({ customer, items: [{ price: prices.monthly.id }] })
  const paused = await subscriptions.update(id, { pause_collection: { behavior: 'keep_as_draft' } })
  expect(paused.pause_collection).toEqual({ behavior: 'keep_as_draft', resumes_at: null })
  await testHelpers.testClocks.advance(clock.id, { frozen_time: now + 32 * daySeconds })
  expect((await subscriptions.retrieve(id)).status).toBe('active')
  const statuses = async () => (await invoices.list({ customer })).data.map(({ status }) => status)
  expect(await statuses()).toEqual(['draft', 'paid'])

  const resumes_at = now + 60 * daySeconds
  const briefly = { pause_collection: { behavior: 'keep_as_draft', resumes_at } } as const
  expect((await subscriptions.update(id, briefly)).pause_collection?.resumes_at).toBe(resumes_at)
  await testHelpers.testClocks.advance(clock.id, { frozen_time: now + 63 * daySeconds })
  expect(await statuses()).toEqual(['paid', 'draft', 'paid'])
  expect((await subscriptions.retrieve(id)).pause_collection).toBeNull()
  await subscriptions.update(id, briefly)
  expect((await subscriptions.update(id, { pause_collection: '' })).pause_collection).toBeNull()
})
