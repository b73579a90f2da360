import { articleReaders } from '@tidings/contracts/desk/content/article-readers'
import { deskContentGroup } from '@tidings/contracts/desk/content/content-groups'
import { dataOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { refusalOf, type TestDesk } from '#test/desk.ts'
import { holdFreePlan, holdPlan, testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest()

async function readReaders(desk: TestDesk) {
  const reply = await desk.call('GET', '/article-readers')
  return dataOf(articleReaders).parse(reply.json()).data
}

async function openTo(desk: TestDesk, plans: readonly string[]) {
  return await desk.call('POST', '/content-groups/for-plans', { body: { plans } })
}

describe('GET /desk/v1/article-readers', () => {
  it('counts each member once, with plans and permissions of all their plans together', async ({
    site,
    desk,
    members,
  }) => {
    const before = await readReaders(desk)
    const open = async (rule: Record<string, unknown>) => (await desk.addGroup(rule)).key
    const keys = {
      yearly: await open({ plans: [testPlans.yearly] }),
      either: await open({ plans: [testPlans.yearly, testPlans.monthly] }),
      both: await open({ plans: [testPlans.free], permissions: ['paid'] }),
      all: await open({}),
    }
    await members.signUp()
    const { memberId: two } = await members.signUp()
    const { memberId: past } = await members.signUp()
    await holdPlan(site, two, testPlans.yearly)
    await holdFreePlan(site, two, testPlans.free)
    await holdPlan(site, past, testPlans.monthly, { active: false })

    const after = await readReaders(desk)

    const membersOf = (key: string) => after.groups.find((group) => group.key === key)?.members
    const plan = ({ plans }: typeof after, id: string) => plans.find((each) => each.id === id)
    expect(after.members - before.members).toBe(3)
    expect(plan(after, testPlans.yearly)).toMatchObject({
      name: 'Yearly',
      members: (plan(before, testPlans.yearly)?.members ?? 0) + 1,
      price: { interval: 'YEARLY' },
    })
    expect(plan(after, testPlans.free)?.price).toBeNull()
    expect(membersOf(keys.all)).toBe(after.members)
    expect(membersOf(keys.yearly)).toBe(plan(after, testPlans.yearly)?.members)
    expect(membersOf(keys.either)).toBe(membersOf(keys.yearly))
    expect(membersOf(keys.both)).toBe(1)
    expect(after.groups.find(({ key }) => key === keys.either)).toMatchObject({
      opening: [testPlans.monthly, testPlans.yearly],
      isForPlans: false,
    })
  })
})

describe('POST /desk/v1/content-groups/for-plans', () => {
  it('creates the group of some plans once, in whatever order they come', async ({ desk }) => {
    const first = await openTo(desk, [testPlans.yearly, testPlans.monthly])
    const second = await openTo(desk, [testPlans.monthly, testPlans.yearly])

    const group = dataOf(deskContentGroup).parse(first.json()).data
    expect(group).toMatchObject({
      name: 'Monthly, Yearly',
      permissions: [],
      plans: [testPlans.monthly, testPlans.yearly],
    })
    expect(second.json().data.id).toBe(group.id)
    const { groups } = await readReaders(desk)
    expect(groups.find(({ key }) => key === group.key)?.isForPlans).toBe(true)
  })

  it.for([[[]], [['pln_none']], [[testPlans.free, testPlans.free]]] as const)(
    'refuses the plans %j',
    async ([plans], { desk }) => {
      expect(refusalOf(await openTo(desk, plans))).toMatchObject({ status: 400, code: 'invalid-request' })
    },
  )
})
