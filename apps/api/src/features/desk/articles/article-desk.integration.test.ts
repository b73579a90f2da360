import { type DeskArticleSummary, deskArticle, deskArticleSummary } from '@tidings/contracts/desk/articles'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { createTestDesk, refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { useTestApp } from '#test/test-app.ts'

const unknownId = '0193a000-0000-7000-8000-000000000000'
const good = { title: 'An article', memo_content: '<p>Long.</p>' }

const it = siteTest()

describe('POST /desk/v1/articles', () => {
  it('creates a draft with clean HTML', async ({ desk }) => {
    const reply = await desk.call('POST', '/articles', {
      body: { ...good, memo_content: '<p onclick="x()">Long.</p><script>1</script>', media_title: 'Caption' },
    })

    const article = dataOf(deskArticle).parse(reply.json()).data
    expect(reply.statusCode).toBe(201)
    expect(reply.headers.etag).toBe('"1"')
    expect(article).toMatchObject({
      title: 'An article',
      memo_content: '<p>Long.</p>',
      media: '',
      media_title: 'Caption',
      group: null,
      status: 'draft',
      publishedAt: null,
      version: 1,
    })
    expect((await desk.call('GET', `/articles/${article.id}`)).json().data).toEqual(article)
  })

  it('creates a published article', async ({ site, desk }) => {
    expect(await desk.addArticle({ status: 'published' })).toMatchObject({
      status: 'published',
      publishedAt: site.clock.now().toISOString(),
    })
  })

  it('accepts 400,000 characters', async ({ desk }) => {
    const memo_content = `<p>${'é'.repeat(399_993)}</p>`

    expect((await desk.addArticle({ memo_content })).memo_content).toBe(memo_content)
  })

  it.for([
    ['a content of 400,001 characters', { memo_content: 'x'.repeat(400_001) }],
    ['a content that is no text', { memo_content: 5 }],
    ['a title of 301 characters', { title: 'x'.repeat(301) }],
    ['a title with NUL', { title: 'a\u0000b' }],
    ['an unknown status', { status: 'scheduled' }],
    ['a picture of another form', { media: '../x.jpg' }],
    ['a picture that is not there', { media: `${'a'.repeat(26)}.jpg` }],
    ['a group that is not there', { group: 'no-such-group' }],
    ['a group that is no key', { group: "x' OR 1=1" }],
    ["a group's id", { groupId: 'grp_aaaaaaaaaaaaaaaaaaaaaaaa' }],
    ['a source, which articles have not', { source: 'https://example.com/' }],
  ] as const)('rejects %s', async ([_what, fields], { desk }) => {
    expect(refusalOf(await desk.call('POST', '/articles', { body: { ...good, ...fields } }))).toMatchObject({
      status: 400,
      code: 'invalid-request',
    })
  })

  it.for([
    [{ memo_content: '<img src=x>' }, ['memo_content']],
    [{ memo_content: '' }, ['memo_content']],
    [{ title: undefined }, ['title']],
    [{ title: ' ', memo_content: undefined }, ['title', 'memo_content']],
  ] as const)('accepts a draft with %j, which can’t be published', async ([fields, missing], { desk }) => {
    const body = { ...good, ...fields }
    const draft = await desk.call('POST', '/articles', { body })
    const { id } = draft.json().data

    const replies = [
      await desk.call('POST', '/articles', { body: { ...body, status: 'published' } }),
      await desk.call('POST', `/articles/${id}/publish`),
      await desk.call('PATCH', `/articles/${id}`, { body: { status: 'published' }, ifMatch: '"1"' }),
    ]

    expect(draft.statusCode).toBe(201)
    for (const reply of replies) {
      expect(reply.statusCode).toBe(409)
      expect(reply.json().error).toMatchObject({ code: 'incomplete', incomplete: [{ fields: missing }] })
    }
  })

  it('rejects a body that is larger than the longest article', async ({ desk }) => {
    const reply = await desk.call('POST', '/articles', {
      body: { ...good, memo_content: 'x'.repeat(4_000_000) },
    })

    expect(refusalOf(reply)).toMatchObject({ status: 413, code: 'payload-too-large' })
  })
})

describe('PATCH /desk/v1/articles/{id}', () => {
  it('changes only the keys in the request', async ({ desk }) => {
    const before = await desk.addArticle()

    const reply = await desk.call('PATCH', `/articles/${before.id}`, {
      body: { title: 'New' },
      ifMatch: '"1"',
    })

    const after = dataOf(deskArticle).parse(reply.json()).data
    expect(reply.headers.etag).toBe('"2"')
    expect({ ...after, updatedAt: before.updatedAt }).toEqual({ ...before, title: 'New', version: 2 })
  })

  it('moves an article into a content group, into another one, and out again', async ({ desk }) => {
    const [first, second] = [await desk.addGroup(), await desk.addGroup()]
    const { id } = await desk.addArticle({ group: first.key })
    const groups: unknown[] = []

    for (const [index, change] of [{ title: 'New' }, { group: second.key }, { group: null }].entries()) {
      const reply = await desk.call('PATCH', `/articles/${id}`, { body: change, ifMatch: `"${index + 1}"` })
      groups.push(dataOf(deskArticle).parse(reply.json()).data.group)
    }

    expect(groups).toEqual([first.key, second.key, null])
  })

  it('rejects an unknown content group and changes nothing', async ({ desk }) => {
    const article = await desk.addArticle()

    const reply = await desk.call('PATCH', `/articles/${article.id}`, {
      body: { title: 'New', group: 'no-such-group' },
      ifMatch: '"1"',
    })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(refusalOf(reply).message).toContain("'no-such-group'")
    expect((await desk.call('GET', `/articles/${article.id}`)).json().data).toEqual(article)
  })

  it('publishes and withdraws an article by its status', async ({ desk }) => {
    const { id } = await desk.addArticle()

    const published = await desk.call('PATCH', `/articles/${id}`, {
      body: { status: 'published' },
      ifMatch: '"1"',
    })
    const withdrawn = await desk.call('PATCH', `/articles/${id}`, {
      body: { status: 'draft' },
      ifMatch: '"2"',
    })

    expect(published.json().data).toMatchObject({ status: 'published', publishedAt: expect.any(String) })
    expect(withdrawn.json().data).toMatchObject({ status: 'draft', publishedAt: null })
  })

  it('stores one of two concurrent changes', async ({ desk }) => {
    const { id } = await desk.addArticle()

    const replies = await Promise.all(
      ['One', 'Other'].map((title) =>
        desk.call('PATCH', `/articles/${id}`, { body: { title }, ifMatch: '"1"' }),
      ),
    )

    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })
})

describe('POST /desk/v1/articles/{id}/publish', () => {
  it('publishes now, and changes nothing the second time', async ({ desk }) => {
    const { id } = await desk.addArticle()

    const first = await desk.call('POST', `/articles/${id}/publish`)
    const second = await desk.call('POST', `/articles/${id}/publish`)

    expect(first.json().data).toMatchObject({ status: 'published', version: 2 })
    expect(second.body).toBe(first.body)
  })
})

describe('DELETE /desk/v1/articles/{id}', () => {
  it('deletes it', async ({ desk }) => {
    const { id } = await desk.addArticle()

    const reply = await desk.call('DELETE', `/articles/${id}`, { ifMatch: '"1"' })

    expect(reply.json()).toEqual({ data: { id } })
    expect(refusalOf(await desk.call('GET', `/articles/${id}`))).toMatchObject({
      status: 404,
      code: 'article-not-found',
    })
  })
})

describe('/desk/v1/articles/{id}', () => {
  const calls = [
    { method: 'GET', suffix: '' },
    { method: 'PATCH', suffix: '', body: { title: 'New' } },
    { method: 'DELETE', suffix: '' },
    { method: 'POST', suffix: '/publish' },
  ] as const

  it.for(calls)(
    'returns 404 to $method $suffix of an unknown article',
    async ({ method, suffix, ...rest }, { desk }) => {
      const reply = await desk.call(method, `/articles/${unknownId}${suffix}`, { ...rest, ifMatch: '"1"' })

      expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'article-not-found' })
    },
  )

  it.for(calls)(
    'returns 400 to $method $suffix of an invalid id',
    async ({ method, suffix, ...rest }, { desk }) => {
      const reply = await desk.call(method, `/articles/1%20OR%201=1${suffix}`, { ...rest, ifMatch: '"1"' })

      expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    },
  )

  it.for([
    { ifMatch: undefined, status: 428, code: 'version-required' },
    { ifMatch: '"7"', status: 409, code: 'version-conflict' },
    { ifMatch: 'newest', status: 400, code: 'invalid-request' },
  ])('rejects If-Match $ifMatch', async ({ ifMatch, status, code }, { desk }) => {
    const { id } = await desk.addArticle()
    const options = ifMatch === undefined ? {} : { ifMatch }

    const change = await desk.call('PATCH', `/articles/${id}`, { body: { title: 'New' }, ...options })
    const removal = await desk.call('DELETE', `/articles/${id}`, options)

    expect(refusalOf(change)).toMatchObject({ status, code })
    expect(refusalOf(removal)).toMatchObject({ status, code })
    if (status === 409) expect(change.json().error.current).toMatchObject({ id, version: 1 })
  })
})

describe('GET /desk/v1/articles', () => {
  it('pages through every article without gaps or duplicates, newest first', async () => {
    const own = await useTestApp({ working: false })
    const ownDesk = createTestDesk(own)
    const made: string[] = []
    for (let number = 1; number <= 7; number += 1) made.unshift((await ownDesk.addArticle()).id)

    const seen: DeskArticleSummary[] = []
    let after: string | null = ''
    while (after !== null) {
      const reply = await ownDesk.call('GET', `/articles?limit=3${after === '' ? '' : `&after=${after}`}`)
      const page = pageOf(deskArticleSummary).parse(reply.json())
      seen.push(...page.data)
      after = page.next
      await ownDesk.addArticle({ title: 'Made meanwhile' })
    }

    expect(seen.map(({ id }) => id)).toEqual(made)
  })

  it.for(['limit=0', 'limit=201', 'after=x', 'status=held'])(
    'rejects the query %s',
    async (query, { desk }) => {
      expect(refusalOf(await desk.call('GET', `/articles?${query}`))).toMatchObject({
        status: 400,
        code: 'invalid-request',
      })
    },
  )
})
