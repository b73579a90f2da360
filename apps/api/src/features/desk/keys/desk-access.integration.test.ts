import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'

const id = '0193a000-0000-7000-8000-000000000000'
const commentId = `cmt_${'a'.repeat(24)}`
const memberId = `mem_${'a'.repeat(24)}`
const memo = { title: 'A memo', memo_content: '<p>News.</p>' }
const groupId = 'grp_aaaaaaaaaaaaaaaaaaaaaaaa'
const group = { key: 'a-group', name: 'A group' }
const content = { type: 'TEXT', content: 'For members.' }

/** Every desk call with a valid body and the scopes of which one is required for drafts. */
const calls = [
  { method: 'GET', path: '/editions', scope: 'read' },
  { method: 'GET', path: '/editions/11-20-26-10AM', scope: 'read' },
  { method: 'PUT', path: '/editions/11-21-26-10AM', scope: 'write', body: { status: 'draft' } },
  { method: 'PUT', path: '/editions/11-21-26-3PM', scope: 'publish', body: { status: 'scheduled' } },
  { method: 'PUT', path: '/editions/11-21-26-8PM', scope: 'publish', body: { status: 'published' } },
  { method: 'POST', path: '/editions/11-20-26-10AM/publish', scope: 'publish' },
  { method: 'POST', path: '/editions/11-20-26-10AM/memos', scope: 'write', body: memo },
  { method: 'GET', path: `/memos/${id}`, scope: 'read' },
  { method: 'GET', path: '/articles', scope: 'read' },
  { method: 'GET', path: `/articles/${id}`, scope: 'read' },
  { method: 'POST', path: '/articles', scope: 'write', body: memo },
  { method: 'POST', path: '/articles', scope: 'publish', body: { ...memo, status: 'published' } },
  { method: 'POST', path: `/articles/${id}/publish`, scope: 'publish' },
  { method: 'GET', path: '/content-groups', scope: 'read' },
  { method: 'GET', path: `/content-groups/${groupId}`, scope: 'read' },
  { method: 'POST', path: '/content-groups', scope: 'publish', body: group },
  { method: 'GET', path: '/secure-content', scope: 'read' },
  { method: 'GET', path: '/secure-content/welcome', scope: 'read' },
  { method: 'PUT', path: '/secure-content/welcome', scope: 'publish', body: content },
  { method: 'POST', path: '/media', scope: 'write' },
  { method: 'GET', path: '/audit', scope: 'read' },
  { method: 'GET', path: '/memos', scope: 'read' },
  { method: 'GET', path: '/statistics', scope: 'read' },
  { method: 'GET', path: '/comments', scope: 'read' },
  { method: 'GET', path: '/comments/counts', scope: 'read' },
  { method: 'GET', path: `/comments/${commentId}`, scope: 'read' },
  { method: 'POST', path: '/comments/hide', scope: 'publish', body: { ids: [commentId] } },
  { method: 'POST', path: '/comments/keep', scope: 'publish', body: { ids: [commentId] } },
  { method: 'POST', path: '/members/search', scope: 'publish', body: { name: 'Ann' } },
  { method: 'GET', path: `/members/${memberId}`, scope: 'publish' },
  { method: 'POST', path: `/members/${memberId}/lift-suppression`, scope: 'publish' },
] as const

const changesOfResources = [
  { method: 'PATCH', path: `/memos/${id}`, body: { title: 'Other' } },
  { method: 'DELETE', path: `/memos/${id}` },
  { method: 'PATCH', path: `/articles/${id}`, body: { title: 'Other' } },
  { method: 'DELETE', path: `/articles/${id}` },
  { method: 'PATCH', path: `/content-groups/${groupId}`, body: { name: 'Other' } },
  { method: 'DELETE', path: `/content-groups/${groupId}` },
  { method: 'DELETE', path: '/secure-content/welcome' },
] as const

const everyCall = [...calls, ...changesOfResources]
const otherScopes = {
  read: ['write', 'publish'],
  write: ['read', 'publish'],
  publish: ['read', 'write'],
} as const

const it = siteTest()
it.beforeAll(async ({ desk }) => {
  await desk.draft('11-20-26-10AM')
})

describe('the desk without a valid key', () => {
  it.for(everyCall)('rejects $method $path without a key', async ({ method, path, ...rest }, { desk }) => {
    const reply = await desk.call(method, path, { ...rest, as: '' })

    expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'invalid-api-key' })
    expect(reply.headers['www-authenticate']).toBe('Bearer')
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it.for(everyCall)(
    'rejects $method $path with an unknown key',
    async ({ method, path, ...rest }, { desk }) => {
      const reply = await desk.call(method, path, { ...rest, as: `Bearer tdk_${'0'.repeat(40)}` })

      expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'invalid-api-key' })
    },
  )

  it.for([
    ['Basic dGRrX3Rlc3Q6'],
    ['Bearer'],
    ['Bearer '],
    ['tdk_test000000000000000000000000000000000000'],
    ["Bearer ' OR '1'='1"],
    [`Bearer ${'x'.repeat(201)}`],
    ['Bearer tdk_tëst'],
  ] as const)('rejects the Authorization header %j', async ([as], { desk }) => {
    expect(refusalOf(await desk.call('GET', '/editions', { as }))).toMatchObject({
      status: 401,
      code: 'invalid-api-key',
    })
  })

  it('does not accept a gate pass as a key', async ({ site, desk }) => {
    const reply = await desk.call('GET', '/editions', { as: '', headers: { cookie: site.pass } })

    expect(refusalOf(reply).status).toBe(401)
  })

  it('rejects a key as soon as it is revoked', async ({ site, desk }) => {
    const { as, name } = await desk.keyWith('read')
    expect((await desk.call('GET', '/editions', { as })).statusCode).toBe(200)

    await site.context.editorKeys.revoke(name)

    expect(refusalOf(await desk.call('GET', '/editions', { as }))).toMatchObject({
      status: 401,
      code: 'invalid-api-key',
    })
  })
})

describe('the desk with a key that lacks the scope', () => {
  it.for(calls)(
    'rejects $method $path without $scope',
    async ({ method, path, scope, ...rest }, { desk }) => {
      const { as } = await desk.keyWith(...otherScopes[scope])

      const refusal = refusalOf(await desk.call(method, path, { ...rest, as }))

      expect(refusal).toMatchObject({ status: 403, code: 'scope-missing' })
      expect(refusal.message).toContain(`'${scope}'`)
    },
  )

  it('lets a writer change a draft memo, and only a publisher a published one', async ({ desk }) => {
    await desk.draft('11-22-26-10AM', ['First', 'Second'])
    const { memos } = await desk.read('11-22-26-10AM')
    const { as } = await desk.keyWith('write')
    const [first, second] = memos.map((each) => each.id)

    const onDraft = await desk.call('PATCH', `/memos/${first}`, {
      body: { title: 'New' },
      ifMatch: '"1"',
      as,
    })
    await desk.publish('11-22-26-10AM')
    const change = await desk.call('PATCH', `/memos/${second}`, {
      body: { title: 'New' },
      ifMatch: '"1"',
      as,
    })
    const withdrawal = await desk.call('DELETE', `/memos/${second}`, { ifMatch: '"1"', as })
    const addition = await desk.call('POST', '/editions/11-22-26-10AM/memos', { body: memo, as })
    const { version } = await desk.read('11-22-26-10AM')
    const toDraft = await desk.call('PUT', '/editions/11-22-26-10AM', {
      body: { status: 'draft' },
      ifMatch: `"${version}"`,
      as,
    })

    expect(onDraft.statusCode).toBe(200)
    for (const reply of [change, withdrawal, addition, toDraft]) {
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'scope-missing' })
    }
    expect(await desk.places('11-22-26-10AM')).toEqual(['1 New', '2 Second'])
  })

  it('creates no edition for a key without the scope publish', async ({ desk }) => {
    const { as } = await desk.keyWith('read', 'write')

    await desk.call('PUT', '/editions/11-23-26-10AM', { body: { status: 'published' }, as })

    expect((await desk.call('GET', '/editions/11-23-26-10AM')).statusCode).toBe(404)
  })

  it('lets a writer change a draft article, and only a publisher a published one', async ({ desk }) => {
    const draft = await desk.addArticle()
    const published = await desk.addArticle({ status: 'published' })
    const { as } = await desk.keyWith('write')

    const onDraft = await desk.call('PATCH', `/articles/${draft.id}`, {
      body: { title: 'New' },
      ifMatch: '"1"',
      as,
    })
    const refused = await Promise.all([
      desk.call('PATCH', `/articles/${draft.id}`, { body: { status: 'published' }, ifMatch: '"2"', as }),
      desk.call('PATCH', `/articles/${published.id}`, { body: { title: 'New' }, ifMatch: '"1"', as }),
      desk.call('DELETE', `/articles/${published.id}`, { ifMatch: '"1"', as }),
    ])

    expect(onDraft.statusCode).toBe(200)
    for (const reply of refused)
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'scope-missing' })
  })
})

describe('guessing keys', () => {
  it('is limited by IP address, with Retry-After', async ({ site }) => {
    site.limitCalls('deskFailures', 3)
    const request = { url: '/desk/v1/editions', remoteAddress: '192.0.2.1' }
    const guess = (key: string) =>
      site.app.inject({ ...request, headers: { authorization: `Bearer ${key}` } })
    for (const key of ['guess1', 'guess2', 'guess3']) await guess(key)

    const reply = await guess('guess4')

    expect(refusalOf(reply)).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('never limits a valid key from the same address, nor counts one that was revoked', async ({
    site,
    desk,
  }) => {
    site.limitCalls('deskFailures', 3)
    const remoteAddress = '192.0.2.7'
    const call = (authorization: string) =>
      site.app.inject({ url: '/desk/v1/editions', remoteAddress, headers: { authorization } })
    const stale = await desk.keyWith('write')
    await site.context.editorKeys.revoke(stale.name)

    const saves = await Promise.all(Array.from({ length: 40 }, () => call(stale.as)))
    const firstGuess = await call('Bearer guess')
    const guesses = await Promise.all(Array.from({ length: 9 }, (_, each) => call(`Bearer guess${each}`)))
    const valid = await call(site.editor)
    const staleAgain = await call(stale.as)

    expect(new Set(saves.map(({ statusCode }) => statusCode))).toEqual(new Set([401]))
    expect(firstGuess.statusCode).toBe(401)
    expect(guesses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(7)
    expect(valid.statusCode).toBe(200)
    expect(staleAgain.statusCode).toBe(401)
  })
})
