import { describe, expect } from 'vitest'
import { findMember, type MemberRow } from '#features/members/index.ts'
import { addPlans } from '#test/factories/app-settings.ts'
import { holdFreePlan, testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'
import {
  countOf,
  createMember,
  freshNumber,
  type LimitSettings,
  outcomeOf,
  processOf,
  repeat,
} from '#test/sms/limited-sms.ts'
import { type TestApp, testNow } from '#test/test-app.ts'
import type { SmsLimits } from './index.ts'

const it = siteTest({ working: false })

it.beforeEach(async ({ site }) => {
  site.clock.moveTo(testNow)
  const { db } = site.context.database
  await db.limitedText.deleteMany()
  await db.phoneCodeStop.updateMany({ data: { stoppedUntil: null, allowedAt: null } })
})

const hourMs = 3_600_000
const dayMs = 24 * hourMs

describe('the limit of a day', () => {
  it('holds for a number, whatever the accounts, for 20 requests on two processes at once', async ({
    site,
  }) => {
    const settings = { dailyCodesPerNumber: 3 }
    const processes = [processOf(site, settings), processOf(site, settings)]
    const members = await repeat(20, () => createMember(site))
    const number = freshNumber()
    const outcomes = await Promise.all(
      members.map((member, index) =>
        outcomeOf(processes[index % 2]?.limits ?? processOf(site).limits, member, number),
      ),
    )
    expect([countOf(outcomes, 'sent'), countOf(outcomes, 'too-many-requests')]).toEqual([3, 17])
  })

  it('holds for an account, whatever the numbers, for 20 requests at once', async ({ site }) => {
    const { limits } = processOf(site, { dailyCodesPerMember: 10 })
    const member = await createMember(site)
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(limits, member)))
    expect(countOf(outcomes, 'sent')).toBe(10)
  })

  it('is 24 hours, so that nothing begins again at midnight or after a restart', async ({ site }) => {
    const settings = { dailyCodesPerNumber: 3 }
    const member = await createMember(site)
    const number = freshNumber()
    // Midnight in Los Angeles is 08:00 in UTC.
    site.clock.moveTo(new Date('2026-11-21T07:59:00.000Z'))
    await repeat(3, () => outcomeOf(processOf(site, settings).limits, member, number))
    for (const [time, outcome] of [
      ['2026-11-21T08:01:00.000Z', 'too-many-requests'],
      ['2026-11-22T00:00:01.000Z', 'too-many-requests'],
      ['2026-11-22T07:58:59.000Z', 'too-many-requests'],
      ['2026-11-22T07:59:01.000Z', 'sent'],
    ] as const) {
      site.clock.moveTo(new Date(time))
      expect(await outcomeOf(processOf(site, settings).limits, member, number)).toBe(outcome)
    }
  })

  it('of a number says the same as that of an account and of the site', async ({ site }) => {
    const member = await createMember(site)
    const number = freshNumber()
    const refusalUnder = async (settings: Partial<LimitSettings>) => {
      const { limits } = processOf(site, settings)
      return await limits.take({ kind: 'code', number, member }).catch((error: unknown) => error)
    }
    await processOf(site).limits.take({ kind: 'code', number, member })
    site.clock.pass(100_000)
    const expected = {
      code: 'too-many-requests',
      status: 429,
      message: 'We’ve sent all the codes we can for now. Try again in 24 hours.',
      headers: { 'Retry-After': '86400' },
    }
    for (const settings of [{ dailyCodesPerNumber: 1 }, { dailyCodesPerMember: 1 }, { dailyCap: 1 }]) {
      expect(await refusalUnder(settings)).toMatchObject(expected)
    }
  })

  it('counts a number that Twilio refused, but not for the site; and nothing that was not sent', async ({
    site,
  }) => {
    const { limits } = processOf(site, { dailyCodesPerNumber: 2, dailyCap: 4 })
    const member = await createMember(site)
    const number = freshNumber()
    await limits.giveBack(await limits.take({ kind: 'code', number, member }))
    await repeat(2, async () => {
      await limits.refuse(await limits.take({ kind: 'code', number, member }))
    })
    expect(await outcomeOf(limits, member, number)).toBe('too-many-requests')
    expect(await repeat(2, () => outcomeOf(limits, member))).toEqual(['sent', 'sent'])
  })

  it('counts on after the account is deleted', async ({ site }) => {
    const { limits } = processOf(site, { dailyCodesPerNumber: 1 })
    const number = freshNumber()
    const first = await createMember(site)
    await outcomeOf(limits, first, number)
    await site.context.database.db.member.delete({ where: { id: first.id } })
    expect(await outcomeOf(limits, await createMember(site), number)).toBe('too-many-requests')
    expect(await outcomeOf(limits, first)).toBe('sent')
  })

  it('keeps half of the cap for members whose plan is paid or by invitation', async ({ site }) => {
    const { limits, messages, metrics } = processOf(site, { dailyCap: 9 })
    const gift = { id: 'pln_gift', name: 'Gift', restrictToAdmin: true }
    await addPlans(site, [gift])
    const without = await createMember(site)
    const free = await createMember(site, { plan: testPlans.free })
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => [outcomeOf(limits, without), outcomeOf(limits, free)]).flat(),
    )
    expect(countOf(outcomes, 'sent')).toBe(4)

    const paying = await createMember(site, { plan: testPlans.monthly })
    const invited = await createMember(site)
    await holdFreePlan(site, invited.id, gift.id)
    const guest = await findMember(site.context.database.db, invited.id)
    expect(await repeat(4, () => outcomeOf(limits, paying))).not.toContain('too-many-requests')
    expect(await repeat(2, () => outcomeOf(limits, guest ?? without))).toEqual(['sent', 'too-many-requests'])
    expect(messages().filter((line) => 'cap' in line)).toMatchObject([
      { msg: 'daily cap of texts reached', level: 40 },
      { msg: 'daily cap of texts reached', level: 40 },
    ])
    expect(await metrics.registry.metrics()).toContain(
      'tidings_limited_texts_total{kind="code",outcome="daily-cap"} 17',
    )
  })

  it('is as the setting says after it changed, and there is none with 0', async ({ site }) => {
    const member = await createMember(site, { plan: testPlans.yearly })
    await repeat(5, () => outcomeOf(processOf(site).limits, member))
    expect(await outcomeOf(processOf(site, { dailyCap: 2 }).limits, member)).toBe('too-many-requests')
    expect(await outcomeOf(processOf(site, { dailyCap: 6 }).limits, member)).toBe('sent')
  })
})

describe('a sudden rise of codes that stay unused', () => {
  async function pump(site: TestApp, limits: SmsLimits, codes: number): Promise<string[]> {
    return await Promise.all(
      Array.from({ length: codes }, async () => outcomeOf(limits, await createMember(site, { days: 0 }))),
    )
  }

  it('stops codes to new accounts for six hours, with an alert', async ({ site }) => {
    const { limits, messages, metrics } = processOf(site, { unverifiedPerHour: 5 })
    const elsewhere = processOf(site, { unverifiedPerHour: 5 })
    expect(countOf(await pump(site, limits, 20), 'sent')).toBe(6)

    expect(messages()).toMatchObject([
      {
        level: 40,
        msg: 'codes to new accounts stopped',
        unused: 6,
        usual: 0,
        until: '2026-11-20T23:00:00.000Z',
      },
    ])
    expect(await metrics.registry.metrics()).toContain('tidings_phone_codes_stopped 1')
    expect(await elsewhere.metrics.registry.metrics()).toContain('tidings_phone_codes_stopped 1')
    expect(await metrics.registry.metrics()).toContain('tidings_phone_code_stops_total 1')
    const member = await createMember(site, { days: 6 })
    const refusal = elsewhere.limits.take({ kind: 'code', number: freshNumber(), member })
    await expect(refusal).rejects.toMatchObject({
      code: 'phone-codes-stopped',
      status: 503,
      message: 'We aren’t texting codes to new accounts right now. Try again in 6 hours, or choose email.',
      headers: { 'Retry-After': '21600' },
    })
    site.clock.pass(6 * hourMs - 1)
    expect(await outcomeOf(limits, await createMember(site, { days: 1 }))).toBe('phone-codes-stopped')
    site.clock.pass(1)
    expect(await outcomeOf(limits, await createMember(site, { days: 1 }))).toBe('sent')
    expect(await metrics.registry.metrics()).toContain('tidings_phone_codes_stopped 0')
  })

  it('stops none to older accounts, to members with a plan, or tests', async ({ site }) => {
    const { limits } = processOf(site, { unverifiedPerHour: 5 })
    await pump(site, limits, 8)
    expect(await outcomeOf(limits, await createMember(site, { days: 7 }))).toBe('sent')
    const paying = await createMember(site, { days: 0, plan: testPlans.monthly })
    expect(await outcomeOf(limits, paying)).toBe('sent')
    await limits.take({ kind: 'test', number: freshNumber() })
    const free = await createMember(site, { days: 0, plan: testPlans.free })
    expect(await outcomeOf(limits, free)).toBe('phone-codes-stopped')
  })

  it('counts an account once, however many codes it requests, also after its deletion', async ({ site }) => {
    const { limits } = processOf(site, { unverifiedPerHour: 5, dailyCodesPerMember: 10 })
    const members = await repeat(4, () => createMember(site, { days: 0 }))
    const request = (member: MemberRow) => repeat(10, () => outcomeOf(limits, member))
    for (const member of members) expect(countOf(await request(member), 'sent')).toBe(10)
    const id = { in: members.slice(0, 3).map((member) => member.id) }
    await site.context.database.db.member.deleteMany({ where: { id } })

    expect(await pump(site, limits, 2)).toEqual(['sent', 'sent'])
    expect(countOf(await pump(site, limits, 5), 'sent')).toBe(0)
  })

  it('is none if the codes are entered, refused or an hour old', async ({ site }) => {
    const { limits } = processOf(site, { unverifiedPerHour: 5 })
    const take = async () => {
      const member = await createMember(site, { days: 0 })
      const number = freshNumber()
      return { member, number, id: await limits.take({ kind: 'code', number, member }) }
    }
    const { db } = site.context.database
    await repeat(10, async () => {
      const { member, number } = await take()
      await limits.enter(db, member.id, number)
    })
    await repeat(10, async () => {
      await limits.refuse((await take()).id)
    })
    await repeat(5, take)
    site.clock.pass(hourMs)
    expect(await pump(site, limits, 6)).not.toContain('phone-codes-stopped')
  })

  it('is measured by the same hour of the last seven days', async ({ site }) => {
    // So each code without an account counts.
    const { limits } = processOf(site, { unverifiedPerHour: 5, dailyCodesPerMember: 1 })
    const { db } = site.context.database
    const at = (days: number, minutes: number) =>
      new Date(testNow.getTime() - days * dayMs - minutes * 60_000)
    const stored = (sentAt: Date, count: number) =>
      Array.from({ length: count }, () => ({
        kind: 'code' as const,
        numberHash: 'a'.repeat(64),
        hasPlan: false,
        sentAt,
      }))
    // Four unused codes in this hour of each day but one, and more in other hours and in an attack.
    const days = [1, 2, 3, 5, 6, 7].flatMap((day) => stored(at(day, 30), 4))
    const others = [1, 2, 3, 4, 5, 6, 7].flatMap((day) => stored(at(day, 90), 30))
    const data = [...days, ...others, ...stored(at(4, 30), 500), ...stored(at(8, -60), 1)]
    await db.limitedText.createMany({ data })

    expect(countOf(await pump(site, limits, 30), 'sent')).toBe(21)
  })

  it('is ended by an operator, and begins again only with newer codes', async ({ site }) => {
    const { limits, messages } = processOf(site, { unverifiedPerHour: 5 })
    await pump(site, limits, 7)
    expect(await limits.stoppedUntil()).toEqual(new Date('2026-11-20T23:00:00.000Z'))
    site.clock.pass(60_000)

    expect([await limits.allowCodes(), await limits.allowCodes()]).toEqual([true, false])

    expect(await limits.stoppedUntil()).toBeNull()
    site.clock.pass(60_000)
    expect(countOf(await pump(site, limits, 12), 'sent')).toBe(6)
    expect(messages()).toHaveLength(2)
  })
})

it('limited texts are removed after eight days', async ({ site }) => {
  const { limits } = processOf(site)
  const { db } = site.context.database
  await outcomeOf(limits, await createMember(site))
  site.clock.pass(8 * dayMs)
  await limits.removeOld()
  expect(await db.limitedText.count()).toBe(1)
  site.clock.pass(1)
  await site.context.removeOld()
  expect(await db.limitedText.count()).toBe(0)
})
