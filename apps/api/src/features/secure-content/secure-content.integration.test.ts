import { secureContentReply } from '@tidings/contracts/membership/secure-content'
import { appReply } from '@tidings/contracts/membership/widget-config'
import { describe, expect, vi } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { contentElsewhere } from '#test/factories/other-app.ts'
import { holdPlan, testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'
import { createTestMembers } from '#test/membership.ts'
import type { TestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'
import { listContentGroups } from './secure-content.service.ts'

const secretText = 'Only the right members are handed this.'
const { free, monthly, yearly } = testPlans

const it = siteTest()

  /** Signs up a member with these plans. */
  .extend('member', { scope: 'file' }, ({ site, members }) => async (...plans: string[]) => {
    const { memberId, headers } = await members.signUp()
    for (const plan of plans) await holdPlan(site, memberId, plan)
    return { memberId, headers }
  })
  .extend(
    'ask',
    { scope: 'file' },
    ({ site }) =>
      async (contentId: unknown, headers: Record<string, string>, process: TestApp = site) => {
        return await createTestMembers(process).call('POST', '/secure-content', {
          headers,
          body: { contentId },
        })
      },
  )

  /** Creates a piece of secure content. Returns its id. */
  .extend('content', { scope: 'file' }, ({ desk }) => async (draft: Record<string, unknown>) => {
    contentsMade += 1
    const contentId = `content-${contentsMade}`
    await desk.addContent(contentId, { content: secretText, ...draft })
    return contentId
  })

let contentsMade = 0

describe('POST /secure-content', () => {
  it.for([
    ['HTML', '<p onclick="x()">Hello</p><script>1</script>', '<p>Hello</p>'],
    ['CSS', 'p > a { color: red }', 'p > a { color: red }'],
    ['JS', 'if (1 < 2) alert("</script>")', 'if (1 < 2) alert("</script>")'],
    ['JSON', '{ "a": [1] }', '{ "a": [1] }'],
    ['TEXT', '<b>\nplain', '<b>\nplain'],
    ['LINK', 'https://example.com/a', 'https://example.com/a'],
    ['IMAGE', 'https://example.com/a.png', 'https://example.com/a.png'],
    ['FILE', 'https://example.com/a.pdf', 'https://example.com/a.pdf'],
  ] as const)(
    'returns %s to a member and forbids caching',
    async ([type, written, expected], { member, ask, content }) => {
      const contentId = await content({ type, content: written })
      const { headers } = await member()

      const reply = await ask(contentId, headers)

      expect(reply.statusCode).toBe(200)
      expect(reply.headers['cache-control']).toBe('no-store')
      expect(secureContentReply.parse(reply.json())).toEqual({ data: { content: expected, type } })
      expect(reply.json()).toEqual({ data: { content: expected, type } })
    },
  )

  it.for([
    { own: { plans: [yearly] }, holds: [yearly], status: 200 },
    { own: { plans: [yearly] }, holds: [monthly], status: 403 },
    { own: { plans: [yearly] }, holds: [], status: 403 },
    { own: { plans: [yearly, monthly] }, holds: [free, monthly], status: 200 },
    { own: { permissions: ['paid'] }, holds: [monthly], status: 200 },
    { own: { permissions: ['press', 'paid'] }, holds: [yearly], status: 200 },
    { own: { permissions: ['paid'] }, holds: [free], status: 403 },
    { own: { permissions: ['press'], plans: [yearly] }, holds: [yearly], status: 403 },
    { own: { permissions: ['paid'], plans: [yearly] }, holds: [monthly], status: 403 },
    { own: {}, group: { plans: [yearly] }, holds: [yearly], status: 200 },
    { own: {}, group: { plans: [yearly] }, holds: [monthly], status: 403 },
    { own: { plans: [monthly] }, group: { plans: [yearly] }, holds: [yearly], status: 403 },
    { own: { plans: [monthly] }, group: { plans: [yearly] }, holds: [monthly], status: 403 },
    { own: { plans: [monthly] }, group: { plans: [yearly] }, holds: [monthly, yearly], status: 200 },
    { own: { plans: [monthly] }, group: {}, holds: [monthly], status: 200 },
  ])(
    'returns $status for content of $own in the group $group to a member with $holds',
    async (given, { desk, member, ask, content }) => {
      const group = given.group === undefined ? null : (await desk.addGroup(given.group)).key
      const contentId = await content({ ...given.own, group })
      const { headers } = await member(...given.holds)

      const reply = await ask(contentId, headers)

      expect(reply.statusCode).toBe(given.status)
      expect(reply.headers['cache-control']).toBe('no-store')
      expect(reply.body.includes(secretText)).toBe(given.status === 200)
      if (given.status === 403) expect(refusalOf(reply).code).toBe('access-denied')
    },
  )

  it.for([
    ['no token', undefined, 'login-required'],
    ['a forged token', 'Bearer member', 'client/invalid-token'],
    ["an editor's key", 'editor', 'client/invalid-token'],
  ] as const)(
    'rejects %s, whether the content exists or not',
    async ([_what, given, code], { site, members, ask, content }) => {
      const contentId = await content({})
      const authorization = given === 'editor' ? site.editor : given
      const headers = { ...members.visitor, ...(authorization === undefined ? {} : { authorization }) }

      const [known, unknown] = [await ask(contentId, headers), await ask('nothing-here', headers)]

      expect(refusalOf(known)).toMatchObject({ status: 401, code })
      expect(known.headers['cache-control']).toBe('no-store')
      expect(known.body).toBe(unknown.body)
    },
  )

  it('rejects requests without an app key', async ({ member, ask, content }) => {
    const { headers } = await member()
    const { authorization = '' } = headers

    const reply = await ask(await content({}), { authorization })

    expect(refusalOf(reply).code).toBe('app-not-found')
    expect(reply.body).not.toContain(secretText)
  })

  it.for(['nothing-here', "' OR 1=1 --", 'a\u0000b', 'a/b', '\ud800', '__proto__', 'x'.repeat(100)])(
    'returns 404 for %j',
    async (contentId, { member, ask }) => {
      const { headers } = await member()

      expect(refusalOf(await ask(contentId, headers))).toMatchObject({
        status: 404,
        code: 'content-not-found',
      })
    },
  )

  it.for([undefined, null, '', 5, {}, ['a'], 'x'.repeat(101)])(
    'returns 400 for %j',
    async (contentId, { member, ask }) => {
      const { headers } = await member()

      expect(refusalOf(await ask(contentId, headers)).status).toBe(400)
    },
  )

  it("never returns another app's content", async ({ site, member, ask }) => {
    await contentElsewhere(site.context, 'elsewhere', secretText)
    const { headers } = await member()

    const reply = await ask('elsewhere', headers)

    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'content-not-found' })
    expect(reply.body).not.toContain(secretText)
  })

  it('ignores other keys of the body', async ({ members, member, content }) => {
    const contentId = await content({ plans: [yearly] })
    const owner = await member(yearly)
    const { headers } = await member()

    const reply = await members.call('POST', '/secure-content', {
      headers,
      body: {
        contentId,
        memberId: owner.memberId,
        plans: [yearly],
        permissions: ['paid'],
        planConnections: [{ planId: yearly, active: true }],
        member: { id: owner.memberId },
      },
    })

    expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'access-denied' })
  })

  it('denies access as soon as a plan expires, is removed, or was never active', async ({
    site,
    otherProcess,
    member,
    ask,
    content,
  }) => {
    const { db } = site.context.database
    const contentId = await content({ permissions: ['paid'] })
    const { memberId, headers } = await member(monthly)
    await holdPlan(site, memberId, yearly, { active: false })
    const connection = { memberId_planId: { memberId, planId: monthly } }
    expect((await ask(contentId, headers, otherProcess)).statusCode).toBe(200)

    await db.planConnection.update({ where: connection, data: { active: false } })
    expect(refusalOf(await ask(contentId, headers, otherProcess)).code).toBe('access-denied')

    await db.planConnection.update({ where: connection, data: { active: true } })
    expect((await ask(contentId, headers, otherProcess)).statusCode).toBe(200)

    await db.planConnection.delete({ where: connection })
    expect(refusalOf(await ask(contentId, headers, otherProcess)).code).toBe('access-denied')
  })

  it('applies changes of the content and its group at once in every process', async ({
    site,
    otherProcess,
    desk,
    member,
    ask,
    content,
  }) => {
    const group = await desk.addGroup({ plans: [monthly] })
    const contentId = await content({ group: group.key })
    const { headers } = await member(monthly)
    expect((await ask(contentId, headers, otherProcess)).statusCode).toBe(200)

    await desk.call('PATCH', `/content-groups/${group.id}`, { body: { plans: [yearly] }, ifMatch: '"1"' })
    for (const process of [site, otherProcess]) {
      expect(refusalOf(await ask(contentId, headers, process)).code).toBe('access-denied')
    }

    await desk.call('PUT', `/secure-content/${contentId}`, {
      body: { type: 'TEXT', content: 'Another text' },
      ifMatch: '"1"',
    })
    for (const process of [site, otherProcess]) {
      expect((await ask(contentId, headers, process)).json().data.content).toBe('Another text')
    }
  })
})

describe('the content groups of GET /app', () => {
  it('are those of the app, by key, in their wire shape', async ({ site }) => {
    const { db } = site.context.database
    await db.contentGroup.create({
      data: { id: 'grp_1', appId: 'app_wire', key: 'b', name: 'All', plans: [], permissions: [] },
    })
    await db.contentGroup.create({
      data: {
        id: 'grp_2',
        appId: 'app_wire',
        key: 'a',
        name: 'Some',
        plans: [yearly],
        permissions: ['paid'],
        redirect: '/join',
      },
    })

    expect(await listContentGroups(db, 'app_wire')).toEqual([
      {
        id: 'grp_2',
        key: 'a',
        name: 'Some',
        allowAllMembers: false,
        redirect: '/join',
        urls: [],
        plans: [{ id: yearly }],
        permissions: ['paid'],
      },
      {
        id: 'grp_1',
        key: 'b',
        name: 'All',
        allowAllMembers: true,
        redirect: '',
        urls: [],
        plans: [],
        permissions: [],
      },
    ])
  })

  it('reflect each change in every process', async ({ site, otherProcess, desk }) => {
    const group = await desk.addGroup({ key: 'shown', plans: [yearly] })
    const names = () => Promise.all([site, otherProcess].map(groupNames))
    await vi.waitFor(async () => expect(await names()).toEqual([['A group'], ['A group']]), waitOptions)

    await desk.call('PATCH', `/content-groups/${group.id}`, { body: { name: 'New' }, ifMatch: '"1"' })
    await vi.waitFor(async () => expect(await names()).toEqual([['New'], ['New']]), waitOptions)

    await desk.call('DELETE', `/content-groups/${group.id}`, { ifMatch: '"2"' })
    await vi.waitFor(async () => expect(await names()).toEqual([[], []]), waitOptions)
  })
})

/** Returns the names of the groups with the key `shown` in `GET /app`. */
async function groupNames(process: TestApp): Promise<string[]> {
  const { call, visitor } = createTestMembers(process)
  const { data } = appReply.parse((await call('GET', '/app', { headers: visitor })).json())
  return data.contentGroups.filter(({ key }) => key === 'shown').map(({ name }) => name)
}
