import { afterAll, describe, expect } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { startPushService } from '#test/push/push-service.ts'
import { forgetSending, guardTest } from '#test/sites/guarded-site.ts'

const service = await startPushService()
afterAll(() => service.stop())

const key = '11-20-26-A'
const digest = { combinestatus: true }
const nothing = { customFields: {} }

const it = guardTest({ env: service.env }).extend('push', { scope: 'file' }, ({ delivery }) => {
  const { site, db } = delivery
  return {
    /** Stores a member with a plan and so many browsers. */
    async member(browsers = 1, options: Parameters<typeof createRecipient>[1] = nothing) {
      const { memberId } = await createRecipient(site, options)
      const added = []
      for (let each = 0; each < browsers; each += 1) added.push(await service.addBrowser(site, memberId))
      return { memberId, browsers: added }
    },
    /** Sends the notifications of a run once its delay, or that of a retry, has passed. */
    async send(run: { id: number } | null, passMs = 60_000): Promise<void> {
      site.clock.pass(passMs)
      await site.context.pushSending.send(run?.id ?? 0)
    },
    countsOf: (browsers: Parameters<typeof service.received>[0][]) =>
      Promise.all(browsers.map(async (browser) => (await service.received(browser)).length)),
    stored: (memberId: string) => db.pushDevice.count({ where: { memberId } }),
  }
})

describe('a notification of an edition', () => {
  it('reaches each browser of a member with a plan once, encrypted, until the next slot', async ({
    delivery,
    push,
  }) => {
    const { memberId, browsers } = await push.member(2)
    const other = await push.member(1, { ...nothing, planId: null })
    const run = await delivery.publish(key, ['Ships “return”', 'Rain'])

    await push.send(run)
    await push.send(run)

    expect(await delivery.stateOf(run, memberId)).toBe('sent')
    expect(await delivery.stateOf(run, other.memberId)).toBe('')
    expect(await push.countsOf([...browsers, ...other.browsers])).toEqual([1, 1, 0])
    const [first] = await service.received(browsers[0] ?? expect.fail())
    expect(first).toEqual({
      text: {
        title: 'Ships “return”',
        body: 'The A edition',
        path: `/edition/${key}`,
        tag: key,
        lang: 'en',
      },
      // At 9:01, until the slot at 9:40.
      ttl: 39 * 60,
      urgency: 'normal',
      topic: expect.stringMatching(/^[\w-]{32}$/),
      vapid: { sub: 'mailto:hello@tidings.example' },
    })
    expect(await delivery.db.delivery.findMany()).toMatchObject([{ method: 'web_push', recipient: '' }])
    expect(await delivery.db.pushDevice.findFirst({ where: { memberId } })).toMatchObject({
      lastRunId: run?.id,
      lastNotifiedAt: new Date('2026-11-20T17:01:00.000Z'),
    })
    expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
  })

  it('goes with emails and with the digest, and is listed and counted at the desk', async ({
    delivery,
    push,
  }) => {
    const emailed = await push.member(1, {})
    const digested = await push.member(1, { customFields: digest })
    const run = await delivery.publish(key)
    await delivery.send(run)
    await push.send(run)

    expect(await push.countsOf([...emailed.browsers, ...digested.browsers])).toEqual([1, 1])
    const report = (await delivery.desk.call('GET', `/editions/${key}/delivery-report`)).json().data
    expect(report.counts).toEqual([
      { method: 'memo-email', state: 'sent', reason: null, count: 1 },
      { method: 'web-push', state: 'sent', reason: null, count: 2 },
    ])
    const listed = await delivery.desk.call('GET', `/editions/${key}/deliveries?method=web-push`)
    expect(listed.json().data).toMatchObject([
      { method: 'web-push', state: 'sent', recipient: '' },
      { method: 'web-push', state: 'sent', recipient: '' },
    ])
  })

  it('is not sent twice by workers that send at once', async ({ delivery, push }) => {
    const members = []
    for (let each = 0; each < 30; each += 1) members.push(await push.member())
    const run = await delivery.publish(key)
    await Promise.all([push.send(run), push.send(run, 0), push.send(run, 0)])
    expect(await push.countsOf(members.flatMap(({ browsers }) => browsers))).toEqual(members.map(() => 1))
  })

  it('is tried again only for the browsers that lack it, when their service wants it', async ({
    delivery,
    push,
  }) => {
    const { memberId, browsers } = await push.member(3)
    const [first, throttled, failing] = browsers
    if (throttled === undefined || failing === undefined || first === undefined) expect.fail()
    await service.replyWith(throttled, { status: 429, retryAfter: 600, times: 1 })
    await service.replyWith(failing, { status: 429, retryAfter: 300, times: 1 })
    const run = await delivery.publish(key)

    await push.send(run)
    expect(await delivery.stateOf(run, memberId)).toBe(
      'planned 429 The push service refused for now (2 of 3 browsers)',
    )
    const [row] = await delivery.db.delivery.findMany()
    expect(row?.nextAttemptAt).toEqual(new Date('2026-11-20T17:06:00.000Z'))
    const report = (await delivery.desk.call('GET', `/editions/${key}/delivery-report`)).json().data
    expect(report.waiting).toMatchObject([
      { transport: 'push', reason: 'rate-limit', until: '2026-11-20T17:06:00.000Z' },
    ])
    await push.send(run)
    expect(await push.countsOf(browsers)).toEqual([1, 0, 0])

    await push.send(run, 300_000)

    expect(await delivery.stateOf(run, memberId)).toBe('sent')
    expect(await push.countsOf(browsers)).toEqual([1, 1, 1])
  })

  it.for([404, 410] as const)(
    'removes a browser whose service says %s',
    async (status, { delivery, push }) => {
      const { memberId, browsers } = await push.member(2)
      await service.replyWith(browsers[0] ?? expect.fail(), { status })
      const only = await push.member(1)
      await service.replyWith(only.browsers[0] ?? expect.fail(), { status })
      const run = await delivery.publish(key)
      await push.send(run)
      expect(await delivery.stateOf(run, memberId)).toBe('sent')
      expect(await delivery.stateOf(run, only.memberId)).toBe(
        `failed ${status} The browser has ended its subscription`,
      )
      expect([await push.stored(memberId), await push.stored(only.memberId)]).toEqual([1, 0])
      expect(await push.countsOf(browsers)).toEqual([0, 1])
    },
  )

  it('keeps a browser whose service refuses it, and fails truthfully', async ({ delivery, push }) => {
    const { memberId, browsers } = await push.member()
    await service.replyWith(browsers[0] ?? expect.fail(), { status: 403 })
    const run = await delivery.publish(key)
    await push.send(run)
    expect(await delivery.stateOf(run, memberId)).toBe('failed 403 The push service refused the message')
    expect(await push.stored(memberId)).toBe(1)
  })

  it('reaches only browsers of the present key, and those of others end after 30 days', async ({
    delivery,
    push,
  }) => {
    const { db, site } = delivery
    const renewed = await push.member(2)
    const before = await push.member()
    const lost = await service.addBrowser(site, renewed.memberId)
    const others = [lost, ...before.browsers].map(({ endpoint }) => endpoint)
    await db.pushDevice.updateMany({ data: { vapidKey: service.publicKey } })
    await db.pushDevice.updateMany({ where: { endpoint: { in: others } }, data: { vapidKey: 'another' } })
    const run = await delivery.publish(key)

    await push.send(run)

    expect(await delivery.stateOf(run, renewed.memberId)).toBe('sent')
    expect(await delivery.stateOf(run, before.memberId)).toBe('')
    expect(await push.countsOf([...renewed.browsers, lost, ...before.browsers])).toEqual([1, 1, 0, 0])
    await site.context.removeOld()
    expect(await push.stored(before.memberId)).toBe(1)
    site.clock.pass(31 * 86_400_000)
    await site.context.removeOld()
    expect([await push.stored(renewed.memberId), await push.stored(before.memberId)]).toEqual([2, 0])
  })

  it('is given up once the next edition is due', async ({ delivery, push }) => {
    const { memberId, browsers } = await push.member()
    await service.replyWith(browsers[0] ?? expect.fail(), { status: 503, retryAfter: 86_400 })
    const run = await delivery.publish(key)
    await push.send(run)
    const [row] = await delivery.db.delivery.findMany()
    expect(row?.nextAttemptAt).toEqual(new Date('2026-11-20T17:40:00.000Z'))
    await push.send(run, 39 * 60_000)
    expect(await delivery.stateOf(run, memberId)).toMatch(/^failed too-late /)
    expect(await push.countsOf(browsers)).toEqual([0])
  })

  it('counts as sent once the next edition is due if one of the browsers got it', async ({
    delivery,
    push,
  }) => {
    const { memberId, browsers } = await push.member(2)
    await service.replyWith(browsers[1] ?? expect.fail(), { status: 503, retryAfter: 86_400 })
    const run = await delivery.publish(key)
    await push.send(run)
    await push.send(run, 39 * 60_000)
    expect(await delivery.stateOf(run, memberId)).toBe('sent')
    expect(await push.countsOf(browsers)).toEqual([1, 0])
  })

  it('is not sent to who paused, ended the plan, removed the browser or was deleted meanwhile', async ({
    delivery,
    push,
  }) => {
    const { db } = delivery
    const paused = await push.member()
    const removed = await push.member()
    const deleted = await push.member()
    const canceled = await push.member()
    const run = await delivery.publish(key)
    const pause = { deliveriesPausedUntil: new Date('2026-12-24') }
    await db.member.update({ where: { id: paused.memberId }, data: pause })
    await db.pushDevice.deleteMany({ where: { memberId: removed.memberId } })
    await db.member.delete({ where: { id: deleted.memberId } })
    await db.planConnection.updateMany({ where: { memberId: canceled.memberId }, data: { active: false } })

    await push.send(run)

    expect(await delivery.stateOf(run, paused.memberId)).toBe('suppressed paused')
    expect(await delivery.stateOf(run, removed.memberId)).toBe('suppressed unsubscribed')
    expect(await delivery.stateOf(run, canceled.memberId)).toBe('suppressed no-plan')
    const all = [paused, removed, deleted, canceled].flatMap(({ browsers }) => browsers)
    expect(await push.countsOf(all)).toEqual([0, 0, 0, 0])
    expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
  })

  it('is not sent while its edition is withdrawn, and in a copy of the database', async ({
    delivery,
    push,
  }) => {
    const { browsers, memberId } = await push.member()
    await delivery.send(await delivery.publish('11-20-26-B'))
    const run = await delivery.publish(key)
    await delivery.withdraw(key)
    await push.send(run)
    expect(await push.countsOf(browsers)).toEqual([0])
    await delivery.publishDraft(key)
    const { pool } = delivery.site.context.database
    await pool.query("UPDATE delivery_control SET instance = 'another', written_by = NULL")
    await push.send(run)
    expect(await push.countsOf(browsers)).toEqual([0])
    expect(await delivery.stateOf(run, memberId)).toBe('planned')

    await delivery.site.context.deliveryOperations.confirmInstance()
    await push.send(run)

    expect(await push.countsOf(browsers)).toEqual([1])
  })

  it('is not sent again after the table of deliveries was restored', async ({ delivery, push }) => {
    const { context } = delivery.site
    const { memberId, browsers } = await push.member()
    await forgetSending(delivery)
    const run = await delivery.publish(key)
    await context.database.pool.query('CREATE TABLE kept AS TABLE delivery')
    await push.send(run)
    await context.database.pool.query(
      "TRUNCATE delivery; INSERT INTO delivery SELECT * FROM kept; DROP TABLE kept; UPDATE delivery_run SET state = 'sending'; UPDATE push_device SET last_run_id = NULL",
    )
    expect(await context.sendingGuard.check()).toBe('ledger-behind')
    await context.deliveryOperations.confirmInstance()
    await push.send(run)
    expect(await push.countsOf(browsers)).toEqual([1])
    expect(await delivery.stateOf(run, memberId)).toBe('sent sent-before-restore')
  })

  it.for(['https://127.0.0.1/push', 'http://127.0.0.1:9/push', 'https://localhost/push'])(
    'never calls %s',
    async (endpoint, { delivery, push }) => {
      const { memberId } = await push.member()
      await delivery.db.pushDevice.updateMany({ where: { memberId }, data: { endpoint } })
      const run = await delivery.publish(key)
      await push.send(run)
      expect(await delivery.stateOf(run, memberId)).toMatch(/^failed EADDRESSREFUSED /)
    },
  )
})
