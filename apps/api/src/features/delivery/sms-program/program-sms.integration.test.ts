import { afterAll, describe, expect } from 'vitest'
import { z } from 'zod'
import { queryRows } from '#platform/query-rows.ts'
import { createSmsRecipient } from '#test/factories/recipients.ts'
import { createTestMembers } from '#test/membership.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { startPhones } from '#test/sms/phones.ts'
import type { TestApp } from '#test/test-app.ts'
import { countSegments } from '../content/sms/gsm.ts'

// Two segments at most, with the words that carriers ask for.
const welcome =
  'Tidings: This number is confirmed. We text you the editions you choose, up to 18 editions a day. Message and data rates may apply. Reply HELP for help, STOP to end.'

const phones = await startPhones()
afterAll(() => phones.stop())
const it = deliveryTest({ env: phones.env })
it.beforeEach(() => phones.setFaults({}))

const isWelcome = (text: string) => text.startsWith('Tidings: This number is confirmed.')
const welcomesTo = async (number: string) => (await phones.textsTo(number)).filter(isWelcome)

async function verifiedNumber(site: TestApp) {
  const { memberId, number } = await createSmsRecipient(site)
  const verification = { memberId, verifiedAt: site.context.clock.now() }
  return { memberId, number, verification, confirm: () => site.context.programSms.confirm(verification) }
}

describe('the text after a verification', () => {
  it('is enqueued with it, says what the program is, and is sent once', async ({
    delivery: { site, db },
  }) => {
    const members = createTestMembers(site)
    const number = '+12025557001'
    const { memberId, headers } = await members.signUp({ customFields: { phone: number } })
    await db.member.update({ where: { id: memberId }, data: { verified: true } })
    await members.call('POST', '/member/phone/verification', { headers, body: {} })
    const code = /\d{6}/.exec((await phones.textsTo(number))[0] ?? '')?.[0]
    await members.call('POST', '/member/phone/verify', { headers, body: { code } })
    const jobRowSchema = z.object({ data: z.object({ memberId: z.string(), verifiedAt: z.string() }) })
    const jobs = await queryRows(db, jobRowSchema)`
      SELECT data FROM jobs.job WHERE name = 'delivery.confirm-program'`
    expect(jobs.map(({ data }) => data.memberId)).toEqual([memberId])
    const verification = { memberId, verifiedAt: new Date(jobs[0]?.data.verifiedAt ?? 0) }

    for (let run = 0; run < 3; run += 1) await site.context.programSms.confirm(verification)

    expect(await welcomesTo(number)).toEqual([welcome])
    expect(countSegments(welcome)).toBeLessThanOrEqual(2)
  })

  it('is sent once by two workers at the same time', async ({ delivery: { site } }) => {
    const { number, confirm } = await verifiedNumber(site)
    const results = await Promise.allSettled([confirm(), confirm(), confirm()])
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true)
    site.clock.pass(61_000)
    await confirm()
    expect(await welcomesTo(number)).toHaveLength(1)
  })

  it('is sent again after the next verification, and not for an earlier one', async ({
    delivery: { site, db },
  }) => {
    const { memberId, number, confirm } = await verifiedNumber(site)
    await confirm()
    const verifiedAt = new Date(site.clock.now().getTime() + 1_000)
    const data = { verifiedAt, programTextClaimedAt: null, programTextEndedAt: null }
    await db.memberPhone.update({ where: { memberId }, data })
    await confirm()
    expect(await welcomesTo(number)).toHaveLength(1)
    await site.context.programSms.confirm({ memberId, verifiedAt })
    expect(await welcomesTo(number)).toHaveLength(2)
  })

  it.for([
    ['before Twilio had it', { failEvery: 1 }],
    ['after Twilio had it', { failAcceptedEvery: 1 }],
  ] as const)(
    'of a worker that was lost %s reaches the phone once',
    async ([_when, faults], { delivery }) => {
      const { site } = delivery
      const { number, confirm } = await verifiedNumber(site)
      await phones.setFaults(faults)
      await expect(confirm()).rejects.toThrow('text not sent')
      await phones.setFaults({})
      await expect(confirm()).rejects.toThrow('text in flight')
      site.clock.pass(61_000)
      await confirm()
      await confirm()
      expect(await welcomesTo(number)).toHaveLength(1)
    },
  )

  it('waits while Twilio refuses all texts, and while all sending is held', async ({
    delivery: { site },
  }) => {
    const { number, confirm } = await verifiedNumber(site)
    await phones.setFaults({ rateLimitEvery: 1 })
    await expect(confirm()).rejects.toThrow('text not sent')
    await phones.setFaults({})
    await site.context.sendingGuard.setHeld(site.clock.now())
    await expect(confirm()).rejects.toMatchObject({ code: 'sending-held' })
    expect(await welcomesTo(number)).toEqual([])
    await site.context.sendingGuard.setHeld(null)
    await confirm()
    expect(await welcomesTo(number)).toHaveLength(1)
  })

  it.for([
    ['is a landline', { landline: true }, 1],
    ['replied STOP', { landline: false }, 1],
  ] as const)(
    'to a number that %s is not tried again',
    async ([_what, { landline }, count], { delivery }) => {
      const { site, db } = delivery
      const { number, confirm } = await verifiedNumber(site)
      if (landline) await phones.setFaults({ landline: [number] })
      else await phones.reply(number, 'STOP')
      await confirm()
      await phones.setFaults({})
      await confirm()
      expect(await welcomesTo(number)).toEqual([])
      expect(await db.suppression.count({ where: { address: number } })).toBe(count)
    },
  )

  it('is not sent for a deleted account', async ({ delivery: { site, db } }) => {
    const { memberId, number, confirm } = await verifiedNumber(site)
    await db.member.delete({ where: { id: memberId } })
    await confirm()
    expect(await welcomesTo(number)).toEqual([])
  })
})
