import { memberDeliveriesReply } from '@tidings/contracts/membership/deliveries'
import { afterAll, expect } from 'vitest'
import { holdPlan, testPlans } from '#test/factories/plans.ts'
import { verifyNumber } from '#test/factories/recipients.ts'
import { createTestMembers } from '#test/membership.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { startPhones } from '#test/sms/phones.ts'

const phones = await startPhones()
afterAll(() => phones.stop())

const it = deliveryTest({ env: phones.env }).extend('members', { scope: 'file' }, ({ delivery }) =>
  createTestMembers(delivery.site),
)

it('says when a text comes that waits for the end of quiet hours, until it is sent', async ({
  delivery,
  members,
}) => {
  const { site, db } = delivery
  const { memberId, headers } = await members.signUp()
  await holdPlan(site, memberId, testPlans.monthly)
  const phone = '+12025557654'
  const data = { customFields: { getmemomethodbysms: true, phone }, verified: true }
  await db.member.update({ where: { id: memberId }, data })
  await verifyNumber(site, memberId, { number: phone, timeZone: 'Asia/Tokyo' })
  const read = async () => {
    const reply = await members.call('GET', '/member/deliveries', { headers })
    return memberDeliveriesReply.parse(reply.json()).data.recent[0]
  }
  const run = await delivery.publish('11-20-26-A')

  await delivery.sendSms(run)

  expect(await read()).toMatchObject({ state: 'planned', dueAt: '2026-11-20T23:00:00.000Z' })
  site.clock.moveTo(new Date('2026-11-20T23:00:00.000Z'))
  await delivery.sendSms(run)
  expect(await read()).toMatchObject({ state: 'sent', dueAt: null })
})
