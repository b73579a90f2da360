import { expect, vi } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { connectLive } from '#test/live-client.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const it = deliveryTest({ working: true, env: { DELIVERY_DELAY_SECONDS: '0' } })

it('one publication reaches the live feed and the members once each, by their own jobs', async ({
  delivery,
}) => {
  const { site, db, script } = delivery
  const { email } = await createRecipient(site)
  const reader = await connectLive(await site.listen(), { cookie: site.pass })

  await delivery.publish('11-20-26-A', ['One', 'Two'])
  await delivery.publishDraft('11-20-26-A')

  await reader.receive(2)
  await vi.waitFor(async () => {
    const { rows } = await site.context.database.pool.query(
      `SELECT name, state FROM jobs.job WHERE name IN ('edition.published', 'delivery.send') ORDER BY name`,
    )
    expect(rows).toEqual([
      { name: 'delivery.send', state: 'completed' },
      { name: 'edition.published', state: 'completed' },
    ])
  }, waitOptions)
  expect(reader.titles()).toEqual(['One', 'Two'])
  expect(script.sent.map(({ to }) => to)).toEqual([email])
  expect(await db.deliveryRun.count({ where: { state: 'done' } })).toBe(1)
})
