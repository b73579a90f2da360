import { deliverabilityRow } from '@tidings/contracts/desk/deliverability'
import { pageOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import type { BulkResult } from '#integrations/mail/bulk-mailer.ts'
import { refusalOf } from '#test/desk.ts'
import { createRecipient, createSmsRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'

const dayMs = 24 * 3_600_000
const page = pageOf(deliverabilityRow)
const blocked: BulkResult = {
  outcome: 'permanent',
  code: '550',
  response: '550 5.7.1 Blocked',
  phase: 'rcpt',
}

const it = deliveryTest({ env: { SITE_TIME_ZONE: 'Asia/Kathmandu' } })
  .extend('read', { scope: 'file' }, ({ delivery: { desk } }) => async (query = '') => {
    const reply = await desk.call('GET', `/deliverability${query}`)
    expect(reply.statusCode).toBe(200)
    return page.parse(reply.json())
  })
  .extend('event', { scope: 'file' }, ({ delivery: { db, site } }) => {
    let events = 0
    return async (memberId: string, type: 'delivered' | 'bounced' | 'complained', reason = '') => {
      const { id } = await db.delivery.findFirstOrThrow({ where: { memberId }, orderBy: { id: 'desc' } })
      events += 1
      const event = { type, messageId: `<delivery-${id}@tidings.example>`, reason }
      await site.context.bounces.receiveEvent(`evt_deliverability_${events}`, event)
    }
  })

describe('GET /desk/v1/deliverability', () => {
  it('counts what became of emails by receiving domain and day, also after archiving', async ({
    delivery,
    read,
    event,
  }) => {
    const { site, db, script, send } = delivery
    const [first, second, third] = [
      await createRecipient(site, { domain: 'one.example' }),
      await createRecipient(site, { domain: 'one.example' }),
      await createRecipient(site, { domain: 'one.example' }),
    ]
    await createRecipient(site, { domain: 'two.example' })
    await createRecipient(site, { domain: 'blocked.example' })
    await createSmsRecipient(site)
    script.answer = async ({ to }) => (to.endsWith('@blocked.example') ? blocked : { outcome: 'accepted' })
    // 17:46 in Kathmandu is before midnight there; 18:16 UTC is after it.
    site.clock.moveTo(new Date('2026-11-20T18:10:00Z'))
    const run = await delivery.publish('11-20-26-A', ['First'], { deliver: true })
    await send(run)
    await event(first.memberId, 'delivered')
    await event(second.memberId, 'bounced', '5.1.1 unknown')
    await event(second.memberId, 'bounced', '5.1.1 again')
    await event(third.memberId, 'delivered')
    await event(third.memberId, 'complained')
    await event(third.memberId, 'complained')
    site.clock.moveTo(new Date('2026-11-20T18:30:00Z'))
    script.answer = async () => ({ outcome: 'accepted' })
    await send(await delivery.publish('11-20-26-B', ['Second'], { deliver: true }))

    const none = { delivered: 0, bounced: 0, complained: 0, refused: 0 }
    const today = [
      // Two of three: one address bounced, and another one complained.
      { ...none, day: '2026-11-21', domain: 'blocked.example', sent: 1 },
      { ...none, day: '2026-11-21', domain: 'one.example', sent: 1 },
      { ...none, day: '2026-11-21', domain: 'two.example', sent: 1 },
    ]
    const before = [
      {
        day: '2026-11-20',
        domain: 'one.example',
        sent: 3,
        delivered: 2,
        bounced: 1,
        complained: 1,
        refused: 0,
      },
      { ...none, day: '2026-11-20', domain: 'two.example', sent: 1 },
      { ...none, day: '2026-11-20', domain: 'blocked.example', sent: 0, refused: 1 },
    ]
    expect(await read()).toEqual({ data: [...today, ...before], next: null })

    site.clock.pass(3 * dayMs)
    const uncounted = await db.deliverability.count()
    await site.context.removeOld()
    expect(await db.deliverability.count()).toBeLessThanOrEqual(uncounted)
    expect((await read('?limit=200')).data).toEqual([...today, ...before])
    site.clock.pass(100 * dayMs)
    await site.context.removeOld()
    expect(await db.delivery.count()).toBe(0)
    expect((await read('?from=2026-11-01&to=2026-11-30')).data).toEqual([...today, ...before])
    site.clock.pass(310 * dayMs)
    await site.context.removeOld()
    expect((await read('?from=2026-11-01&to=2026-11-30')).data).toEqual([])
  })

  it('reads page by page, and by domain and days', async ({ delivery, read }) => {
    const { site, send } = delivery
    for (const [domain, count] of [
      ['a.example', 1],
      ['b.example', 3],
      ['c.example', 1],
    ] as const) {
      for (let each = 0; each < count; each += 1) await createRecipient(site, { domain })
    }
    await send(await delivery.publish('11-20-26-A', ['First'], { deliver: true }))
    site.clock.pass(dayMs)
    await send(await delivery.publish('11-21-26-A', ['First'], { deliver: true }))

    const rows: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const after: string = next === '' ? '' : `&after=${encodeURIComponent(next)}`
      const { data, next: following } = await read(`?limit=2${after}`)
      expect(data.length).toBeLessThanOrEqual(2)
      rows.push(...data.map(({ day, domain, sent }) => `${day} ${domain} ${sent}`))
      next = following
    }
    const ofDay = ['b.example 3', 'a.example 1', 'c.example 1']
    expect(rows).toEqual(['2026-11-21', '2026-11-20'].flatMap((day) => ofDay.map((row) => `${day} ${row}`)))
    expect((await read('?domain=B.example')).data).toHaveLength(2)
    expect((await read('?from=2026-11-21')).data).toHaveLength(3)
    expect((await read('?to=2026-11-20')).data).toHaveLength(3)
    expect((await read('?from=2026-11-22')).data).toEqual([])
  })

  it('counts a resolved delivery, and one that bounced before its reply was stored, once', async ({
    delivery,
    read,
    event,
  }) => {
    const { site, db, script, desk, send } = delivery
    const [resolved, early] = [await createRecipient(site), await createRecipient(site)]
    script.answer = async () => ({ outcome: 'unknown', code: 'ECONNRESET', response: 'no reply' })
    await send(await delivery.publish('11-20-26-A', ['First'], { deliver: true }))
    const { id } = await db.delivery.findFirstOrThrow({ where: { memberId: resolved.memberId } })
    await desk.call('POST', `/deliveries/${id}/resolve`, { body: { as: 'sent' } })
    await event(early.memberId, 'bounced', '5.1.1')

    expect((await read()).data).toMatchObject([{ domain: 'example.com', sent: 2, bounced: 1, delivered: 0 }])
  })

  it('never has an address, and counts stay when an account is deleted', async ({ delivery, read }) => {
    const { site, db, desk, send } = delivery
    const { memberId, email } = await createRecipient(site)
    await send(await delivery.publish('11-20-26-A', ['First'], { deliver: true }))
    await db.member.delete({ where: { id: memberId } })
    expect((await read()).data).toMatchObject([{ domain: 'example.com', sent: 1 }])
    expect((await desk.call('GET', '/deliverability')).payload).not.toContain(email.split('@')[0])
    expect(JSON.stringify(await db.deliverability.findMany())).not.toContain('@')
  })

  it.for([
    '?from=yesterday',
    '?to=2026-02-30',
    '?limit=0',
    '?limit=201',
    '?after=x',
    '?after=2026-99-99%201%20a',
    '?after=2026-11-20%2099999999999%20a',
    '?member=mem_1',
  ])('refuses %s', async (query, { delivery: { desk } }) => {
    expect(refusalOf(await desk.call('GET', `/deliverability${query}`))).toMatchObject({
      status: 400,
      code: 'invalid-request',
    })
  })

  it('is in OpenAPI', async ({ delivery: { site } }) => {
    const { paths } = (await site.app.inject('/openapi.json')).json()
    expect(paths['/desk/v1/deliverability'].get).toMatchObject({
      security: [{ editorKey: [] }, { deskSession: [] }],
    })
  })
})
