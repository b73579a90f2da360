import { type Member, memberSchema } from '@tidings/contracts/membership/members'
import { planChangeReply } from '@tidings/contracts/membership/plans'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { addPlans } from '#test/factories/app-settings.ts'
import { holdPlan, testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'

const perks = 'pln_perks-1'
const closed = 'pln_closed-1'
const gift = 'pln_gift-1'

type Way = 'add' | 'remove'

const it = siteTest()
  .extend(
    'change',
    { scope: 'file' },
    ({ members }) =>
      (way: Way, { headers }: TestMember, planId: unknown): Promise<LightMyRequestResponse> =>
        members.call('POST', `/member/plans/${way}`, { headers, body: { planId } }),
  )
  .extend(
    'changed',
    { scope: 'file' },
    ({ change }) =>
      async (way: Way, member: TestMember, planId: string): Promise<Member> => {
        const reply = await change(way, member, planId)
        expect(reply.statusCode).toBe(200)
        expect(reply.headers['cache-control']).toBe('no-store')
        return planChangeReply.strict().parse(reply.json()).data.member
      },
  )
  .extend(
    'memberOf',
    { scope: 'file' },
    ({ members }) =>
      async ({ headers }: TestMember): Promise<Member> => {
        return memberSchema.parse((await members.call('GET', '/member', { headers })).json().data)
      },
  )

it.beforeAll(({ site }) =>
  addPlans(site, [
    { id: perks, name: 'Perks', permissions: ['perks', 'more'] },
    { id: closed, name: 'Closed', status: 'INACTIVE' },
    { id: gift, name: 'Gift', restrictToAdmin: true },
  ]),
)

describe('POST /member/plans/add', () => {
  it('adds a free plan and its permissions', async ({ members, changed, memberOf }) => {
    const ann = await members.signUp()
    const member = await changed('add', ann, perks)
    expect(member.permissions).toEqual(['perks', 'more'])
    expect(member.planConnections).toEqual([
      {
        id: expect.stringMatching(/^con_[a-z0-9]{24}$/),
        planId: perks,
        planName: 'Perks',
        active: true,
        status: 'ACTIVE',
        type: 'FREE',
        payment: null,
      },
    ])
    expect(await memberOf(ann)).toEqual(member)
  })

  it('adds no plan twice, even concurrently', async ({ members, change, memberOf }) => {
    const ann = await members.signUp()
    const replies = await Promise.all(Array.from({ length: 8 }, () => change('add', ann, perks)))
    const refused = replies.filter(({ statusCode }) => statusCode !== 200)
    expect(refused).toHaveLength(7)
    for (const reply of [...refused, await change('add', ann, perks)]) {
      expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'already-have-plan' })
    }
    expect((await memberOf(ann)).planConnections).toHaveLength(1)
  })

  it.for<[what: string, planId: unknown, status: number, code: string]>([
    ['a paid plan', testPlans.yearly, 400, 'plan-not-free'],
    ['an unknown plan', 'pln_unknown', 404, 'plan-not-found'],
    ['an inactive plan', closed, 404, 'plan-not-found'],
    ['a plan restricted to admins', gift, 403, 'plan-restricted-to-admin'],
    ['the name of a method', '__proto__', 404, 'plan-not-found'],
    ['a name with a NUL', `${perks}\0`, 404, 'plan-not-found'],
    ['half a surrogate pair', '\ud800', 404, 'plan-not-found'],
    ['no plan', undefined, 400, 'required-field-missing'],
    ['an empty name', '', 400, 'invalid-request'],
    ['a number', 7, 400, 'invalid-request'],
    ['a list', [perks], 400, 'invalid-request'],
    ['a very long name', 'x'.repeat(101), 400, 'invalid-request'],
  ])('refuses %s', async ([_what, planId, status, code], { members, change, memberOf }) => {
    const ann = await members.signUp()
    expect(refusalOf(await change('add', ann, planId))).toMatchObject({ status, code })
    expect(await memberOf(ann)).toMatchObject({ planConnections: [], permissions: [] })
  })
})

describe('POST /member/plans/remove', () => {
  it('removes a free plan and its permissions', async ({ members, changed, memberOf }) => {
    const ann = await members.signUp({ plans: [{ planId: perks }, { planId: testPlans.free }] })
    const member = await changed('remove', ann, perks)
    expect(member.permissions).toEqual([])
    expect(member.planConnections.map(({ planId }) => planId)).toEqual([testPlans.free])
    expect(await memberOf(ann)).toEqual(member)
    expect((await changed('add', ann, perks)).permissions).toEqual(['perks', 'more'])
  })

  it('removes a plan once when called concurrently', async ({ members, change }) => {
    const ann = await members.signUp({ plans: [{ planId: perks }] })
    const replies = await Promise.all(Array.from({ length: 6 }, () => change('remove', ann, perks)))
    const refused = replies.filter(({ statusCode }) => statusCode !== 200)
    expect(refused).toHaveLength(5)
    for (const reply of refused) {
      expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'no-plan-found' })
    }
  })

  it.for([true, false])(
    'leaves a paid plan alone, active: %s',
    async (active, { site, members, change, memberOf }) => {
      const ann = await members.signUp()
      await holdPlan(site, ann.memberId, testPlans.yearly, { active })
      expect(refusalOf(await change('remove', ann, testPlans.yearly))).toMatchObject({
        status: 400,
        code: 'plan-not-free',
      })
      expect((await memberOf(ann)).planConnections).toMatchObject([
        { planId: testPlans.yearly, active, type: 'SUBSCRIPTION' },
      ])
    },
  )

  it.for<[what: string, planId: unknown, status: number, code: string]>([
    ['a plan that is not held', perks, 404, 'no-plan-found'],
    ['an unknown plan', 'pln_unknown', 404, 'no-plan-found'],
    ['a name with a NUL', `${perks}\0`, 404, 'no-plan-found'],
    ['half a surrogate pair', '\ud800', 404, 'no-plan-found'],
    ['no plan', undefined, 400, 'required-field-missing'],
    ['an object', { not: null }, 400, 'invalid-request'],
  ])('refuses %s', async ([_what, planId, status, code], { members, change }) => {
    const ann = await members.signUp()
    expect(refusalOf(await change('remove', ann, planId))).toMatchObject({ status, code })
  })

  it('never removes a plan of another member', async ({ members, memberOf }) => {
    const [ann, bea] = [await members.signUp(), await members.signUp({ plans: [{ planId: perks }] })]
    const { planConnections } = await memberOf(bea)
    const body = { planId: perks, memberId: bea.memberId, id: planConnections[0]?.id, member: bea.memberId }
    const reply = await members.call('POST', '/member/plans/remove', { headers: ann.headers, body })
    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'no-plan-found' })
    expect((await memberOf(bea)).planConnections).toEqual(planConnections)
  })
})

describe('GET /app/plans/{planId}', () => {
  it('returns each plan as GET /app lists it', async ({ members, memberOf }) => {
    const ann = await members.signUp({ plans: [{ planId: perks }, { planId: testPlans.free }] })
    const { plans } = (await members.call('GET', '/app')).json().data
    for (const plan of plans) {
      expect((await members.call('GET', `/app/plans/${plan.id}`)).json()).toEqual({ data: plan })
    }
    const listed = plans.map(({ id }: { id: string }) => id)
    for (const { planId } of (await memberOf(ann)).planConnections) expect(listed).toContain(planId)
  })

  it.for(['pln_unknown', 'constructor', '%00', '%F0%9F%A6%8A', '..%2Fapp'])(
    'returns 404 for %s',
    async (planId, { members }) => {
      expect(refusalOf(await members.call('GET', `/app/plans/${planId}`))).toMatchObject({
        status: 404,
        code: 'plan-not-found',
      })
    },
  )
})
