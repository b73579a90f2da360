import { describe, expect } from 'vitest'
import type { BulkMessage, BulkResult } from '#integrations/mail/bulk-mailer.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { metricValues } from '#test/metric-values.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { startTestApp } from '#test/test-app.ts'

const it = deliveryTest({ env: { SITE_TIME_ZONE: 'America/New_York', METRICS_TOKEN: 'secret' } })
  .extend(
    'recipients',
    { scope: 'file' },
    ({ delivery: { site } }) =>
      async (count: number, domain: string) => {
        const made = []
        while (made.length < count) made.push(await createRecipient(site, { domain }))
        return made
      },
  )
  /** Lets a minute pass, or more, after which the sweep and a worker do what is due. */
  .extend('minute', { scope: 'file' }, ({ delivery: { site, sweep } }) => {
    return async (run: { id: number } | null, minutes = 1) => {
      site.clock.pass(minutes * 60_000)
      await sweep()
      await site.context.sending.send(run?.id ?? 0)
    }
  })

const key = '11-20-26-A'
const blocked: BulkResult = {
  outcome: 'permanent',
  code: '550',
  response: '550 5.7.1 Your network is on our block list',
  phase: 'rcpt',
}
const isAt =
  (domain: string) =>
  ({ to }: BulkMessage) =>
    to.endsWith(`@${domain}`)

describe('a domain that refuses us', () => {
  it.for([
    ['a block list', blocked],
    ['a spam verdict', { ...blocked, code: '554', response: '554 Message rejected', phase: 'data' }],
    [
      'a reputation',
      { ...blocked, outcome: 'temporary', code: '451', response: '451 4.7.650 deferred for your reputation' },
    ],
    [
      'a rate limit that closes',
      {
        ...blocked,
        outcome: 'unavailable',
        code: '421',
        response: '421 4.7.28 unusual rate of unsolicited mail',
      },
    ],
  ] as const satisfies [string, BulkResult][])(
    'delays its other messages and no other domain, and suppresses none: %s',
    async ([, reply], { delivery, recipients, minute }) => {
      const { db, script, send, readersOf, stateOf } = delivery
      const refused = await recipients(30, 'gmail.example')
      const others = await recipients(12, 'other.example')
      const tried: string[] = []
      script.answer = async (message) => {
        if (!isAt('gmail.example')(message)) return { outcome: 'accepted' }
        tried.push(message.to)
        return reply
      }
      const run = await delivery.publish(key)

      await send(run)
      expect(readersOf('First')).toEqual(others.map(({ email }) => email).sort())
      // The mailer of this test has two connections.
      expect(tried.length).toBeLessThanOrEqual(2)
      expect(await db.suppression.count()).toBe(0)

      const perHour: number[] = []
      for (let hour = 0; hour < 7; hour += 1) {
        const before = tried.length
        for (let each = 0; each < 12; each += 1) await minute(run, 5)
        perHour.push(tried.length - before)
      }
      expect(perHour[0]).toBeLessThanOrEqual(6)
      expect(perHour.slice(1).every((count) => count <= 2)).toBe(true)
      const states = await Promise.all(refused.map(({ memberId }) => stateOf(run, memberId)))
      expect(new Set(states)).toEqual(new Set([`failed ${reply.response}`]))
      expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
      expect(await db.suppression.count()).toBe(0)
    },
  )

  it('gets all that waited once it accepts a message', async ({ delivery, recipients, minute }) => {
    const { db, script, send, readersOf } = delivery
    const all = await recipients(20, 'gmail.example')
    let isBlocked = true
    script.answer = async () => (isBlocked ? blocked : { outcome: 'accepted' })
    const run = await delivery.publish(key)
    await send(run)
    await minute(run)
    isBlocked = false
    for (let each = 0; each < 12; each += 1) await minute(run)

    expect(readersOf('First')).toEqual(all.map(({ email }) => email).sort())
    expect(script.sent).toHaveLength(20)
    expect(await db.refusingDomain.count()).toBe(0)
    expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
  })

  it('is not one member whose mailbox takes no mail of strangers', async ({
    delivery,
    recipients,
    minute,
  }) => {
    const { script, send, readersOf, stateOf } = delivery
    const [first, ...others] = await recipients(12, 'company.example')
    script.answer = async ({ to }) =>
      to === first?.email
        ? { ...blocked, response: '550 5.7.133 The group takes mail of its members only' }
        : { outcome: 'accepted' }
    const run = await delivery.publish(key)
    await send(run)
    for (let each = 0; each < 3; each += 1) await minute(run)
    expect(readersOf('First')).toEqual(others.map(({ email }) => email).sort())

    for (let each = 0; each < 8 * 6; each += 1) await minute(run, 10)
    expect(await stateOf(run, first?.memberId ?? '')).toMatch(/^failed 550 5\.7\.133/)
    expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
  })

  it('stops no other domain, even if five in a row refuse', async ({ delivery, recipients }) => {
    const { script, send, readersOf } = delivery
    for (let each = 0; each < 8; each += 1) await recipients(1, `refuses-${each}.example`)
    const others = await recipients(3, 'other.example')
    script.answer = async ({ to }) => (to.includes('@refuses-') ? blocked : { outcome: 'accepted' })
    await send(await delivery.publish(key))

    expect(readersOf('First')).toEqual(others.map(({ email }) => email).sort())
    expect(await delivery.db.refusingDomain.count()).toBe(8)
  })

  it('is tried with one message by several workers', async ({ delivery, recipients, minute }) => {
    const { site, mailer, script, send } = delivery
    await recipients(20, 'gmail.example')
    script.answer = async () => blocked
    const run = await delivery.publish(key)
    await send(run)
    const { database, site: config } = site.context.config
    const other = await startTestApp({
      databaseUrl: database.url,
      working: false,
      env: { EDITION_SLOTS: config.slots.map(({ label }) => `${label}=20:00`).join(',') },
      overrides: { bulkMailer: mailer, clock: site.clock },
    })
    let tried = 0
    script.answer = async () => {
      tried += 1
      return blocked
    }
    site.clock.pass(60_000)
    await Promise.all([site, other].map(({ context }) => context.sending.send(run?.id ?? 0)))
    await other.close()

    expect(tried).toBe(1)
    await minute(run)
    expect(tried).toBe(1)
  })

  it('is reported to editors and to monitoring', async ({ delivery, recipients, minute }) => {
    const { site, desk, script, send } = delivery
    await recipients(5, 'gmail.example')
    script.answer = async () => blocked
    const run = await delivery.publish(key)
    await send(run)
    await minute(run)
    const report = async () => (await desk.call('GET', `/editions/${key}/delivery-report`)).json().data
    const { refusals } = (await delivery.db.refusingDomain.findFirst()) ?? { refusals: 0 }
    expect(refusals).toBeGreaterThanOrEqual(2)
    const since = new Date(site.clock.now().getTime() - 60_000)
    const time = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'America/New_York',
      timeStyle: 'short',
    }).format(since)
    expect((await report()).refusingDomains).toMatchObject([
      {
        domain: 'gmail.example',
        refusals,
        since: since.toISOString(),
        text: `gmail.example refuses us: ${refusals} since ${time}, first reply ${blocked.response}`,
      },
    ])
    expect(await metricValues(site.context.metrics, 'tidings_delivery_domain_refusals')).toMatchObject([
      { labels: { domain: 'gmail.example' }, value: refusals },
      { labels: { domain: 'other' }, value: 0 },
    ])
    expect(JSON.stringify(await report())).not.toContain('recipient-')

    site.clock.pass(25 * 3_600_000)
    expect((await report()).refusingDomains).toEqual([])
    await site.context.removeOld()
    expect(await delivery.db.refusingDomain.count()).toBe(0)
  })
})
