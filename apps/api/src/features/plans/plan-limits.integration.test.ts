import { memberSchema } from '@tidings/contracts/membership/members'
import { describe, expect, vi } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { addPlans, changeApp } from '#test/factories/app-settings.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { siteTest } from '#test/fixtures.ts'
import { createTestMembers, type TestMembers } from '#test/membership.ts'
import { waitOptions } from '#test/wait-options.ts'

const places = 5
const few = 'pln_few-1'
const some = 'pln_some-1'
const others = 'pln_others-1'
const perks = 'pln_perks-1'

const it = siteTest()
  /** Members of the same site, whose calls go to another process. */
  .extend('elsewhere', { scope: 'file' }, ({ otherProcess }) => createTestMembers(otherProcess))
  .extend('holders', { scope: 'file' }, ({ db }) => async (planId: string): Promise<number> => {
    return await db.planConnection.count({ where: { planId } })
  })

it.beforeAll(async ({ site, elsewhere }) => {
  await addPlans(site, [
    { id: few, name: 'Few', memberLimit: places },
    { id: some, name: 'Some', memberLimit: places },
    { id: others, name: 'Others', memberLimit: 100 },
    { id: perks, name: 'Perks', permissions: ['perks'] },
  ])
  await vi.waitFor(
    async () => expect((await elsewhere.call('GET', `/app/plans/${perks}`)).statusCode).toBe(200),
    waitOptions,
  )
})

describe('a plan with a limit', () => {
  it('accepts concurrent members up to the limit on two processes', async ({
    members,
    elsewhere,
    holders,
  }) => {
    const people = await Promise.all(Array.from({ length: 12 }, () => members.signUp()))
    const replies = await Promise.all(
      people.map(({ headers }, index) => {
        const { call } = index % 2 === 0 ? members : elsewhere
        return call('POST', '/member/plans/add', { headers, body: { planId: few } })
      }),
    )
    const refused = replies.filter(({ statusCode }) => statusCode !== 200)
    expect(refused).toHaveLength(12 - places)
    for (const reply of refused) {
      expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'plan-member-limit-reached' })
    }
    expect(await holders(few)).toBe(places)
  })

  it('creates no account for sign-ups above the limit, in any order of plans', async ({
    members,
    db,
    elsewhere,
    holders,
  }) => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const plans = [{ planId: some }, { planId: others }]
        const body = {
          email: `rush-${index}@example.com`,
          password: 'a-long-password',
          plans: index % 2 === 0 ? plans : plans.reverse(),
        }
        return (index % 3 === 0 ? members : elsewhere).call('POST', '/auth/signup', { body })
      }),
    )
    const refused = replies.filter(({ statusCode }) => statusCode !== 200)
    for (const reply of refused) {
      expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'plan-member-limit-reached' })
    }
    expect(refused).toHaveLength(12 - places)
    expect([await holders(some), await holders(others)]).toEqual([places, places])
    const accounts = await db.member.count({
      where: { email: { startsWith: 'rush-' } },
    })
    expect(accounts).toBe(places)
  })

  it('has a separate limit in each app', async ({ site, members }) => {
    const planId = 'pln_copied-1'
    const plan = { id: planId, name: 'Copied', memberLimit: 1 }
    await addPlans(site, [plan])
    const elsewhereHeaders = await addApp(site, { id: 'app_other', publicKey: 'pk_other', plans: [plan] })
    const body = { email: 'two-apps@example.com', password: 'a-long-password', plans: [{ planId }] }
    for (const headers of [members.visitor, elsewhereHeaders]) {
      expect((await members.call('POST', '/auth/signup', { headers, body })).statusCode).toBe(200)
      const next = { ...body, email: 'next@example.com' }
      const reply = await members.call('POST', '/auth/signup', { headers, body: next })
      expect(refusalOf(reply).code).toBe('plan-member-limit-reached')
    }
  })

  it('accepts a new member after another one is deleted', async ({ site, members }) => {
    const planId = 'pln_one-1'
    await addPlans(site, [{ id: planId, name: 'One', memberLimit: 1 }])
    const [ann, bea] = [await members.signUp(), await members.signUp()]
    const take = ({ headers }: typeof ann) =>
      members.call('POST', '/member/plans/add', { headers, body: { planId } })
    expect((await take(ann)).statusCode).toBe(200)
    expect(refusalOf(await take(bea)).code).toBe('plan-member-limit-reached')
    expect(refusalOf(await take(ann)).code).toBe('already-have-plan')
    await members.call('DELETE', '/member', { headers: ann.headers })
    expect((await take(bea)).statusCode).toBe(200)
  })
})

describe("a member's permissions", () => {
  async function permissions({ call }: TestMembers, headers: Record<string, string>): Promise<string[]> {
    return memberSchema.parse((await call('GET', '/member', { headers })).json().data).permissions
  }

  it('follow added and removed plans on every process', async ({ members, elsewhere }) => {
    const { headers } = await members.signUp()
    for (const [way, expected] of [
      ['add', ['perks']],
      ['remove', []],
    ] as const) {
      await permissions(members, headers)
      await permissions(elsewhere, headers)
      await members.call('POST', `/member/plans/${way}`, { headers, body: { planId: perks } })
      expect(await permissions(members, headers)).toEqual(expected)
      await vi.waitFor(
        async () => expect(await permissions(elsewhere, headers)).toEqual(expected),
        waitOptions,
      )
    }
  })

  it("follow changes to the app's plans", async ({ site, members, elsewhere }) => {
    const planId = 'pln_changing-1'
    const plan = { id: planId, name: 'Before', permissions: ['old'] }
    await addPlans(site, [plan])
    const { headers } = await members.signUp({ plans: [{ planId }] })
    await vi.waitFor(async () => expect(await permissions(elsewhere, headers)).toEqual(['old']), waitOptions)
    const { plans } = await site.context.apps.siteApp()
    await changeApp(site, {
      plans: plans.map((one) => (one.id === planId ? { ...one, name: 'After', permissions: ['new'] } : one)),
    })
    expect(await permissions(members, headers)).toEqual(['new'])
    await vi.waitFor(async () => expect(await permissions(elsewhere, headers)).toEqual(['new']), waitOptions)
  })
})
