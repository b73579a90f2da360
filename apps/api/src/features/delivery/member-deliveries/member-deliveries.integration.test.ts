import { memberDeliveriesReply } from '@tidings/contracts/membership/deliveries'
import { describe, expect, onTestFinished } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { publishedEdition } from '#test/factories/editions.ts'
import { holdPlan, testPlans } from '#test/factories/plans.ts'
import { createTestMembers } from '#test/membership.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'

const it = deliveryTest().extend('members', { scope: 'file' }, ({ delivery }) =>
  createTestMembers(delivery.site),
)

describe('GET /member/deliveries', () => {
  it('returns what is missing, the next delivery, and what was sent', async ({ delivery, members }) => {
    const { site, db, send } = delivery
    const { memberId, headers } = await members.signUp()
    const read = async () => {
      const reply = await members.call('GET', '/member/deliveries', { headers })
      return memberDeliveriesReply.parse(reply.json()).data
    }
    const where = { where: { id: memberId } }
    expect(await read()).toEqual({
      next: null,
      nextNotification: null,
      obstacle: 'no-method',
      pausedUntil: null,
      pdfFormat: 'phone',
      recent: [],
    })
    // This site sends no texts.
    await db.member.update({ ...where, data: { customFields: { getPDFMethodBySMS: true } } })
    expect((await read()).obstacle).toBe('no-method')
    await db.member.update({ ...where, data: { customFields: { getmemomethodbyemail: true } } })
    expect((await read()).obstacle).toBe('no-plan')
    await holdPlan(site, memberId, testPlans.monthly)
    expect((await read()).obstacle).toBe('unverified')
    await db.member.update({ ...where, data: { verified: true } })
    expect(await read()).toMatchObject({
      next: { method: 'memo-email', at: '2026-11-20T17:10:00.000Z' },
      obstacle: null,
    })

    await send(await delivery.publish('11-20-26-A'))

    // It was published before its time.
    const now = await read()
    expect(now.next?.at).toBe('2026-11-20T17:40:00.000Z')
    expect(now.recent).toEqual([
      {
        edition: '11-20-26-A',
        digest: null,
        method: 'memo-email',
        state: 'sent',
        reason: null,
        sentAt: '2026-11-20T17:01:00.000Z',
        dueAt: null,
      },
    ])
    await db.member.update({ ...where, data: { customFields: { combinestatus: true } } })
    expect((await read()).next).toEqual({ method: 'digest', at: '2026-11-21T04:00:00.000Z' })
    const pause = async (pausedUntil: string | null) =>
      (await members.call('POST', '/member/deliveries', { headers, body: { pausedUntil } })).json().data
    const paused = { next: null, obstacle: 'paused', pausedUntil: '2026-12-24' }
    expect(await pause('2026-12-24')).toMatchObject(paused)
    expect(await pause(null)).toMatchObject({ obstacle: null, pausedUntil: null })

    const exported = await members.call('GET', '/member/export', { headers })
    expect(exported.json().data.deliveries).toHaveLength(1)
  })

  it.for([
    ['the first edition that was not published early', 'getmemomethodbyemail', '2026-11-20T17:10:00.000Z'],
    ['the digest, which waits for the slot', 'combinestatus', '2026-11-21T04:00:00.000Z'],
  ] as const)('returns %s', async ([_what, field, at], { delivery, members }) => {
    const { site, db } = delivery
    const { memberId, headers } = await members.signUp()
    await holdPlan(site, memberId, testPlans.monthly)
    const data = { customFields: { [field]: true }, verified: true }
    await db.member.update({ where: { id: memberId }, data })
    for (const key of ['11-20-26-Z', '11-21-26-Z']) await delivery.publish(key)

    const reply = await members.call('GET', '/member/deliveries', { headers })

    expect(memberDeliveriesReply.parse(reply.json()).data).toMatchObject({ next: { at }, obstacle: null })
  })

  it('returns the next edition days ahead, when all before it were published early', async ({
    delivery,
    members,
  }) => {
    const { site, db } = delivery
    const { memberId, headers } = await members.signUp()
    await holdPlan(site, memberId, testPlans.monthly)
    const data = { customFields: { getmemomethodbyemail: true }, verified: true }
    await db.member.update({ where: { id: memberId }, data })
    onTestFinished(async () => {
      await db.edition.updateMany({ data: { status: 'draft', publishedAt: null } })
    })
    site.clock.moveTo(new Date('2026-11-21T03:59:00Z'))
    for (const key of ['11-20-26-Z', '11-21-26-A']) await publishedEdition(site.context, key, 1)

    const reply = await members.call('GET', '/member/deliveries', { headers })

    const next = { method: 'memo-email', at: '2026-11-21T17:40:00.000Z' }
    expect(memberDeliveriesReply.parse(reply.json()).data).toMatchObject({ next })
  })

  it('follows the digest through its day', async ({ delivery, members }) => {
    const { site, db, sweep, send, findDigest } = delivery
    const { memberId, headers } = await members.signUp()
    await holdPlan(site, memberId, testPlans.monthly)
    const data = { customFields: { combinestatus: true }, verified: true }
    await db.member.update({ where: { id: memberId }, data })
    const nextAt = async () => {
      const reply = await members.call('GET', '/member/deliveries', { headers })
      return memberDeliveriesReply.parse(reply.json()).data.next?.at
    }
    const [slot, latest, tomorrow] = ['2026-11-21T04', '2026-11-21T05', '2026-11-22T04'].map(
      (hour) => `${hour}:00:00.000Z`,
    )
    expect(await nextAt()).toBe(slot)
    site.clock.moveTo(new Date('2026-11-21T04:30:00Z'))
    // Nothing was delivered that day, so no digest is sent at the latest time.
    expect(await nextAt()).toBe(tomorrow)
    await delivery.publish('11-20-26-A')
    expect(await nextAt()).toBe(latest)
    await delivery.publish('11-20-26-Z')
    expect(await nextAt()).toBe('2026-11-21T04:31:00.000Z')
    await sweep()
    await send(await findDigest('2026-11-20'))
    expect(await nextAt()).toBe(tomorrow)
  })

  it('keeps the chosen pages of PDFs beside the pause, and exports both', async ({ members }) => {
    const { headers } = await members.signUp()
    const change = async (body: object) =>
      (await members.call('POST', '/member/deliveries', { headers, body })).json().data
    expect(await change({ pdfFormat: 'a4' })).toMatchObject({ pdfFormat: 'a4', pausedUntil: null })
    const paused = { pdfFormat: 'a4', pausedUntil: '2026-12-24' }
    expect(await change({ pausedUntil: '2026-12-24' })).toMatchObject(paused)
    expect(await change({ pdfFormat: 'a4' })).toMatchObject(paused)
    const exported = await members.call('GET', '/member/export', { headers })
    expect(exported.json().data).toMatchObject(paused)
  })

  it('pauses for a year, and no day longer', async ({ members }) => {
    const { headers } = await members.signUp()
    const body = { pausedUntil: '2027-11-20' }
    const reply = await members.call('POST', '/member/deliveries', { headers, body })
    expect(reply.json().data).toMatchObject(body)
  })

  it.for([
    [{ pdfFormat: 'letter' }, 'pdfFormat'],
    [{ pdfFormat: null }, 'pdfFormat'],
    [{ pausedUntil: 'tomorrow' }, 'pausedUntil'],
    [{ pausedUntil: '2027-11-21' }, 'pausedUntil: must be 2027-11-20 or earlier'],
    [{ pausedUntil: '9999-12-31', pdfFormat: 'a4' }, 'A pause lasts a year at most'],
    [{}, 'pausedUntil or pdfFormat'],
  ] as const)('refuses %j, names what is wrong and changes nothing', async ([body, named], { members }) => {
    const { headers } = await members.signUp()
    const refused = refusalOf(await members.call('POST', '/member/deliveries', { headers, body }))
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining(named) })
    const { data } = (await members.call('GET', '/member/deliveries', { headers })).json()
    expect(data).toMatchObject({ pdfFormat: 'phone', pausedUntil: null })
  })

  it('belongs to the logged-in member', async ({ members }) => {
    expect((await members.call('GET', '/member/deliveries')).statusCode).toBe(401)
  })
})
