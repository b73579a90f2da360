import { memberDeliveriesReply } from '@tidings/contracts/membership/deliveries'
import { afterAll, describe, expect } from 'vitest'
import { holdPlan, testPlans } from '#test/factories/plans.ts'
import { createTestMembers } from '#test/membership.ts'
import { startPushService } from '#test/push/push-service.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'

const service = await startPushService()
afterAll(() => service.stop())

const nextEdition = '2026-11-20T17:10:00.000Z'
const planned = { next: null, nextNotification: { at: nextEdition }, obstacle: null }

const it = deliveryTest({ env: service.env }).extend('notified', { scope: 'file' }, ({ delivery }) => {
  const members = createTestMembers(delivery.site)
  /** Returns a member with a notified browser and no other method, and what reads what they receive next. */
  return async ({ planId = testPlans.monthly }: { planId?: string | null } = {}) => {
    const { memberId, headers } = await members.signUp()
    if (planId !== null) await holdPlan(delivery.site, memberId, planId)
    await service.addBrowser(delivery.site, memberId)
    const update = (data: Parameters<typeof delivery.db.member.update>[0]['data']) =>
      delivery.db.member.update({ where: { id: memberId }, data })
    async function read() {
      const reply = await members.call('GET', '/member/deliveries', { headers })
      return memberDeliveriesReply.parse(reply.json()).data
    }
    return { memberId, update, read }
  }
})

describe('what comes next to a member with a notified browser', () => {
  it('is the next edition as a notification, also without a verified address', async ({ notified }) => {
    const { read } = await notified()
    expect(await read()).toMatchObject(planned)
  })

  it('is named beside the delivery by email', async ({ notified }) => {
    const { update, read } = await notified()
    await update({ customFields: { getmemomethodbyemail: true } })
    expect(await read()).toMatchObject({ ...planned, obstacle: 'unverified' })
    await update({ verified: true })
    expect(await read()).toMatchObject({ ...planned, next: { method: 'memo-email', at: nextEdition } })
    await update({ customFields: { combinestatus: true } })
    expect(await read()).toMatchObject({
      ...planned,
      next: { method: 'digest', at: '2026-11-21T04:00:00.000Z' },
    })
  })

  it('is nothing during a pause, without a plan, or once the browser is removed', async ({
    delivery,
    notified,
  }) => {
    const none = { next: null, nextNotification: null }
    const { memberId, update, read } = await notified()
    await update({ deliveriesPausedUntil: new Date('2026-12-24') })
    expect(await read()).toMatchObject({ ...none, obstacle: 'paused' })
    await update({ deliveriesPausedUntil: null })
    await delivery.db.pushDevice.deleteMany({ where: { memberId } })
    expect(await read()).toMatchObject({ ...none, obstacle: 'no-method' })
    const free = await notified({ planId: null })
    expect(await free.read()).toMatchObject({ ...none, obstacle: 'no-plan' })
  })
})
