import { deskContentGroup } from '@tidings/contracts/desk/content/content-groups'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { contentGroupTest } from '#test/content/content-groups.ts'
import { createTestDesk, refusalOf } from '#test/desk.ts'
import { groupElsewhere } from '#test/factories/other-app.ts'
import { testPlans } from '#test/factories/plans.ts'
import { useTestApp } from '#test/test-app.ts'

const unknownId = 'grp_aaaaaaaaaaaaaaaaaaaaaaaa'
const good = { key: 'a-group', name: 'A group' }

const it = contentGroupTest()

describe('POST /desk/v1/content-groups', () => {
  it('creates a group with empty lists', async ({ desk, read }) => {
    const reply = await desk.call('POST', '/content-groups', {
      body: { key: 'plain', name: '  Plain\tone ' },
    })

    const group = dataOf(deskContentGroup).parse(reply.json()).data
    expect(reply.statusCode).toBe(201)
    expect(reply.headers.etag).toBe('"1"')
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(group).toMatchObject({
      id: expect.stringMatching(/^grp_[0-9a-z]{24}$/),
      key: 'plain',
      name: 'Plain one',
      permissions: [],
      plans: [],
      redirect: '',
      version: 1,
    })
    expect(await read(group.id)).toEqual(group)
  })

  it.for(['', 'https://example.com/join?a=b', '/#/account/change-plan', '/join'])(
    'accepts lists and the redirect %j',
    async (redirect, { desk }) => {
      const lists = { permissions: ['paid', 'press:read'], plans: [testPlans.yearly, testPlans.monthly] }

      expect(await desk.addGroup({ ...lists, redirect })).toMatchObject({ ...lists, redirect })
    },
  )

  it('creates one group for two requests with the same Idempotency-Key', async ({ desk }) => {
    const body = { ...good, key: 'once' }
    const first = await desk.call('POST', '/content-groups', { body, key: 'group-once' })
    const second = await desk.call('POST', '/content-groups', { body, key: 'group-once' })
    const other = await desk.call('POST', '/content-groups', { body: good, key: 'group-once' })

    expect([first.statusCode, second.statusCode]).toEqual([201, 201])
    expect(second.json()).toEqual(first.json())
    expect(refusalOf(other)).toMatchObject({ status: 409, code: 'idempotency-key-reused' })
  })

  it('rejects a key that is in use, even under concurrent requests', async ({ desk }) => {
    const replies = await Promise.all(
      ['One', 'Other'].map((name) => desk.call('POST', '/content-groups', { body: { key: 'taken', name } })),
    )
    const third = await desk.call('POST', '/content-groups', { body: { ...good, key: 'taken' } })

    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
    expect(refusalOf(third)).toMatchObject({ status: 409, code: 'content-exists' })
    expect(refusalOf(third).message).toContain("'taken'")
  })

  it.for([
    ['no key', { key: undefined }],
    ['an empty key', { key: '' }],
    ['a key with capitals', { key: 'Yearly' }],
    ['a key of 101 characters', { key: 'x'.repeat(101) }],
    ['a key with a path', { key: '../x' }],
    ['no name', { name: undefined }],
    ['a name of blanks', { name: ' ' }],
    ['a name of 201 characters', { name: 'x'.repeat(201) }],
    ['a name with NUL', { name: 'a\u0000b' }],
    ['permissions that are no list', { permissions: 'paid' }],
    ['a permission with a blank', { permissions: ['a b'] }],
    ['a permission twice', { permissions: ['paid', 'paid'] }],
    ['101 permissions', { permissions: Array.from({ length: 101 }, (_each, index) => `p${index}`) }],
    ['a plan that is no text', { plans: [5] }],
    ['a plan twice', { plans: [testPlans.free, testPlans.free] }],
    ['a redirect that runs', { redirect: 'javascript:alert(1)' }],
    ['a redirect to another host by two slashes', { redirect: '//example.com' }],
    ['a redirect to another host by a backslash', { redirect: '/\\example.com' }],
    ['a redirect with a line end', { redirect: '/a\nb' }],
    ['an id', { id: unknownId }],
    ['an app', { appId: 'app_other' }],
    ['a version', { version: 7 }],
  ] as const)('rejects %s', async ([_what, fields], { desk }) => {
    const reply = await desk.call('POST', '/content-groups', { body: { ...good, ...fields } })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })

  it('rejects a plan that the app does not offer, with its id', async ({ site, desk }) => {
    const body = { ...good, key: 'no-such-plan', plans: [testPlans.yearly, 'pln_none'] }

    const refusal = refusalOf(await desk.call('POST', '/content-groups', { body }))

    expect(refusal).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(refusal.message).toContain("'pln_none'")
    expect(await site.context.database.db.contentGroup.count({ where: { key: 'no-such-plan' } })).toBe(0)
  })
})

describe('PATCH /desk/v1/content-groups/{id}', () => {
  it.for([
    { key: 'another-key' },
    { name: 'New' },
    { permissions: ['press'] },
    { plans: [testPlans.free] },
    { plans: [] },
    { redirect: '/elsewhere' },
  ])('changes %j and nothing else', async (change, { desk, read }) => {
    const before = await desk.addGroup({ plans: [testPlans.yearly], permissions: ['paid'], redirect: '/a' })

    const reply = await desk.call('PATCH', `/content-groups/${before.id}`, { body: change, ifMatch: '"1"' })

    const after = dataOf(deskContentGroup).parse(reply.json()).data
    expect(reply.headers.etag).toBe('"2"')
    expect({ ...after, updatedAt: before.updatedAt }).toEqual({ ...before, ...change, version: 2 })
    expect(await read(before.id)).toEqual(after)
  })

  it.for([
    ['nothing', {}],
    ['an unknown key', { urls: [] }],
    ['a version', { name: 'New', version: 9 }],
    ['another app', { appId: 'app_other' }],
    ['null for a list', { plans: null }],
    ['a plan that is not offered', { plans: ['pln_none'] }],
  ] as const)('rejects %s', async ([_what, body], { desk, read }) => {
    const group = await desk.addGroup()

    const reply = await desk.call('PATCH', `/content-groups/${group.id}`, { body, ifMatch: '"1"' })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(await read(group.id)).toEqual(group)
  })

  it('rejects the key of another group', async ({ desk, read }) => {
    const [first, second] = [await desk.addGroup(), await desk.addGroup()]

    const reply = await desk.call('PATCH', `/content-groups/${second.id}`, {
      body: { key: first.key },
      ifMatch: '"1"',
    })

    expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'content-exists' })
    expect(await read(second.id)).toEqual(second)
  })

  it('stores one of two concurrent changes', async ({ desk }) => {
    const { id } = await desk.addGroup()

    const replies = await Promise.all(
      ['One', 'Other'].map((name) =>
        desk.call('PATCH', `/content-groups/${id}`, { body: { name }, ifMatch: '"1"' }),
      ),
    )

    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })
})

describe('DELETE /desk/v1/content-groups/{id}', () => {
  it('deletes it', async ({ desk }) => {
    const { id } = await desk.addGroup()

    const reply = await desk.call('DELETE', `/content-groups/${id}`, { ifMatch: '"1"' })

    expect(reply.json()).toEqual({ data: { id } })
    expect(refusalOf(await desk.call('GET', `/content-groups/${id}`))).toMatchObject({
      status: 404,
      code: 'content-group-not-found',
    })
  })

  it('is rejected while an article or secure content belongs to the group', async ({ desk }) => {
    const { id, key } = await desk.addGroup()
    const article = await desk.addArticle({ group: key })
    await desk.addContent('in-group', { group: key })
    const refusals: { status: number; code: string }[] = []

    refusals.push(refusalOf(await desk.call('DELETE', `/content-groups/${id}`, { ifMatch: '"1"' })))
    await desk.call('DELETE', `/articles/${article.id}`, { ifMatch: '"1"' })
    refusals.push(refusalOf(await desk.call('DELETE', `/content-groups/${id}`, { ifMatch: '"1"' })))
    await desk.call('DELETE', '/secure-content/in-group', { ifMatch: '"1"' })
    const last = await desk.call('DELETE', `/content-groups/${id}`, { ifMatch: '"1"' })

    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 409, code: 'content-group-in-use' })
    }
    expect(last.statusCode).toBe(200)
  })

  it('leaves no article without its group when both change concurrently', async ({ desk }) => {
    for (let round = 1; round <= 5; round += 1) {
      const { id, key } = await desk.addGroup()

      const [removal, article] = await Promise.all([
        desk.call('DELETE', `/content-groups/${id}`, { ifMatch: '"1"' }),
        desk.call('POST', '/articles', { body: { title: 'A', memo_content: '<p>x</p>', group: key } }),
      ])

      expect([
        [200, 400],
        [409, 201],
      ]).toContainEqual([removal.statusCode, article.statusCode])
    }
  })
})

describe('GET /desk/v1/content-groups', () => {
  it('pages through every group of the app, by key', async () => {
    const own = await useTestApp({ working: false })
    const ownDesk = createTestDesk(own)
    const keys = ['b', 'd-1', 'a', 'e', 'c']
    for (const key of keys) await ownDesk.addGroup({ key })
    await groupElsewhere(own.context, 'c-other')

    const seen: string[] = []
    let after: string | null = ''
    while (after !== null) {
      const reply = await ownDesk.call(
        'GET',
        `/content-groups?limit=2${after === '' ? '' : `&after=${after}`}`,
      )
      const page = pageOf(deskContentGroup).parse(reply.json())
      seen.push(...page.data.map(({ key }) => key))
      after = page.next
    }

    expect(seen).toEqual(keys.toSorted())
  })

  it.for(['limit=0', 'limit=201', 'after=%00', 'plan=x'])('rejects the query %s', async (query, { desk }) => {
    expect(refusalOf(await desk.call('GET', `/content-groups?${query}`))).toMatchObject({
      status: 400,
      code: 'invalid-request',
    })
  })
})
