import { describe, expect } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { metricValue } from '#test/metric-values.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { recordDomainRefusal } from '../ledger/refusing-domains.repository.ts'

const key = '11-20-26-A'

const it = deliveryTest({ env: { METRICS_TOKEN: 'metrics-token' } }).extend(
  'read',
  { scope: 'file' },
  ({ delivery: { site } }) =>
    (name: string, labels?: Record<string, string>) =>
      metricValue(site.context.metrics, `tidings_${name}`, labels),
)

describe('metrics of deliveries', () => {
  it('count deliveries of a week by state, how long they have been waiting, and what was handed over', async ({
    delivery: { site, publish, send },
    read,
  }) => {
    for (let each = 0; each < 2; each += 1) await createRecipient(site)
    const accepted = { transport: 'email', outcome: 'accepted' }
    const before = (await read('delivery_messages_total', accepted)) ?? 0
    const run = await publish(key)
    const planned = { method: 'memo_email', state: 'planned' }
    const email = { method: 'memo_email' }
    expect([await read('deliveries', planned), await read('delivery_oldest_waiting_seconds', email)]).toEqual(
      [2, 0],
    )
    site.clock.pass(90_000)
    expect(await read('delivery_oldest_waiting_seconds', email)).toBe(30)
    expect(await read('delivery_runs', { state: 'planned' })).toBe(1)

    await send(run)
    expect(await read('deliveries', planned)).toBe(0)
    expect(await read('deliveries', { method: 'memo_email', state: 'sent' })).toBe(2)
    expect(await read('delivery_oldest_waiting_seconds', email)).toBe(0)
    expect(await read('delivery_messages_total', accepted)).toBe(before + 2)

    site.clock.pass(8 * 24 * 3_600_000)
    expect(await read('deliveries', { method: 'memo_email', state: 'sent' })).toBe(0)
  })

  it('say that an operator holds sending, and for how long a server has been unavailable', async ({
    delivery: { site, publish, send, script },
    read,
  }) => {
    const { sendingGuard } = site.context
    await createRecipient(site)
    script.answer = async () => ({ outcome: 'unavailable', code: 'ECONNREFUSED', response: 'connect' })
    await send(await publish(key))
    site.clock.pass(45_000)
    expect(await read('delivery_server_unavailable_seconds', { transport: 'email' })).toBe(45)
    expect(await read('sending_held', { reason: 'held' })).toBe(0)
    await sendingGuard.setHeld(site.clock.now())
    expect(await read('sending_held', { reason: 'held' })).toBe(1)
    await sendingGuard.setHeld(null)
    expect(await read('sending_held', { reason: 'held' })).toBe(0)
  })

  it('name the 20 domains that refuse us most, and count all others as one', async ({
    delivery: { site, db },
    read,
  }) => {
    for (let index = 1; index <= 60; index += 1) {
      const refusal = { address: `ann@d${index}.example`, reply: '550 5.7.1 Blocked', now: site.clock.now() }
      await recordDomainRefusal(db, refusal, { isProbe: false })
      if (index === 60) await recordDomainRefusal(db, refusal, { isProbe: true })
    }
    expect(await read('delivery_domain_refusals', { domain: 'd60.example' })).toBe(2)
    expect(await read('delivery_domain_refusals', { domain: 'other' })).toBe(40)
  })
})
