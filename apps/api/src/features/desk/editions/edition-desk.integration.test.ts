import { type DeskEditionSummary, deskEdition, deskEditionSummary, pageOf } from '@tidings/contracts/desk'
import { dataOf } from '@tidings/contracts/envelope'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDesk, refusalOf, type TestDesk } from '#test/desk.ts'
import { startTestApp, type TestApp, useTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

let testApp: TestApp
let desk: TestDesk

beforeAll(async () => {
  testApp = await startTestApp({ databaseUrl: await createTestDatabase() })
  desk = createTestDesk(testApp)
})
afterAll(() => testApp.close())

describe('PUT /desk/v1/editions/{key}', () => {
  it('creates a draft that readers do not see', async () => {
    const reply = await desk.call('PUT', '/editions/12-01-26-10AM', { body: { status: 'draft' } })

    const edition = dataOf(deskEdition).parse(reply.json()).data
    const read = await testApp.app.inject({
      url: '/edition/prod/12-01-26-10AM',
      headers: { cookie: testApp.pass },
    })
    expect(reply.statusCode).toBe(201)
    expect(reply.headers.etag).toBe('"1"')
    expect(edition).toMatchObject({
      key: '12-01-26-10AM',
      date: '12-01-26',
      slot: '10AM',
      status: 'draft',
      publishAt: '2026-12-01T18:00:00.000Z',
      publishedAt: null,
      heldReason: null,
      memoCount: 0,
      memos: [],
    })
    expect(read.statusCode).toBe(404)
  })

  it('publishes an existing edition with the version that was read', async () => {
    const { version } = await desk.draft('12-01-26-3PM', ['First'])

    const reply = await desk.call('PUT', '/editions/12-01-26-3PM', {
      body: { status: 'published' },
      ifMatch: `"${version}"`,
    })

    expect(reply.statusCode).toBe(200)
    expect(reply.headers.etag).toBe(`"${version + 1}"`)
    expect(dataOf(deskEdition).parse(reply.json()).data).toMatchObject({
      status: 'published',
      publishedAt: testApp.clock.now().toISOString(),
    })
  })

  it('creates and publishes in one request', async () => {
    const reply = await desk.call('PUT', '/editions/12-01-26-8PM', { body: { status: 'published' } })

    expect(reply.statusCode).toBe(201)
    expect((await desk.read('12-01-26-8PM')).status).toBe('published')
  })

  it('withdraws a published edition from readers', async () => {
    const key = '12-02-26-10AM'
    await desk.draft(key, ['First'])
    const { version } = await desk.publish(key)

    const reply = await desk.call('PUT', `/editions/${key}`, {
      body: { status: 'draft' },
      ifMatch: `"${version}"`,
    })

    const read = await testApp.app.inject({ url: `/edition/prod/${key}`, headers: { cookie: testApp.pass } })
    const times = await testApp.app.inject({
      url: '/edition/prod/get_time_list/12-02-26',
      headers: { cookie: testApp.pass },
    })
    expect(reply.statusCode).toBe(200)
    expect(await desk.read(key)).toMatchObject({ status: 'draft', publishedAt: null, memoCount: 1 })
    expect(read.statusCode).toBe(404)
    expect(times.json()).toEqual({ date: '12-02-26', timeStamp: [] })
  })

  it('changes nothing for the current status', async () => {
    const { version } = await desk.draft('12-02-26-3PM')

    const reply = await desk.call('PUT', '/editions/12-02-26-3PM', {
      body: { status: 'draft' },
      ifMatch: `"${version}"`,
    })

    expect(reply.statusCode).toBe(200)
    expect(reply.headers.etag).toBe(`"${version}"`)
  })

  it.each([
    { ifMatch: undefined, status: 428, code: 'version-required' },
    { ifMatch: '"99"', status: 409, code: 'version-conflict' },
    { ifMatch: 'latest', status: 400, code: 'invalid-request' },
  ])('rejects a change of an existing edition with If-Match $ifMatch', async ({ ifMatch, status, code }) => {
    const key = '12-03-26-10AM'
    await desk.call('PUT', `/editions/${key}`, { body: { status: 'draft' } })

    const reply = await desk.call('PUT', `/editions/${key}`, {
      body: { status: 'published' },
      ...(ifMatch === undefined ? {} : { ifMatch }),
    })

    expect(refusalOf(reply)).toMatchObject({ status, code })
    expect((await desk.read(key)).status).toBe('draft')
  })

  it('rejects a version of an edition that does not exist', async () => {
    const reply = await desk.call('PUT', '/editions/12-03-26-3PM', {
      body: { status: 'draft' },
      ifMatch: '"1"',
    })

    expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'version-conflict' })
    expect((await desk.call('GET', '/editions/12-03-26-3PM')).statusCode).toBe(404)
  })

  it('returns 404 with the configured slots for an unknown slot', async () => {
    const refusal = refusalOf(await desk.call('PUT', '/editions/12-03-26-9AM', { body: { status: 'draft' } }))

    expect(refusal).toMatchObject({ status: 404, code: 'slot-not-found' })
    expect(refusal.message).toContain('10AM, 3PM, 8PM')
  })

  it('does not schedule an edition for the past', async () => {
    const reply = await desk.call('PUT', '/editions/11-19-26-10AM', { body: { status: 'scheduled' } })

    expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'edition-not-scheduled-in-future' })
    expect((await desk.call('GET', '/editions/11-19-26-10AM')).statusCode).toBe(404)
  })

  it.each([
    ['02-30-26-10AM', 'invalid-date'],
    ['13-01-26-10AM', 'invalid-date'],
    ['2026-11-20-10AM', 'invalid-edition-key'],
    ['11-20-26', 'invalid-edition-key'],
    ['11-20-26-', 'invalid-edition-key'],
    ['11-20-26-10%20AM', 'invalid-edition-key'],
    ["11-20-26-10AM';DROP TABLE edition;--", 'invalid-edition-key'],
    ['11-20-26-10AM%00', 'invalid-edition-key'],
    ['%F0%9F%99%82', 'invalid-edition-key'],
    ['11-20-26-ABCDEFGHIJKLM', 'invalid-edition-key'],
  ])('rejects the key %s in every route', async (key, code) => {
    const memo = { title: 'A memo', memo_content: 'News.' }
    const replies = [
      await desk.call('PUT', `/editions/${encodeURI(key).replaceAll('%25', '%')}`, {
        body: { status: 'draft' },
      }),
      await desk.call('GET', `/editions/${encodeURI(key).replaceAll('%25', '%')}`),
      await desk.call('POST', `/editions/${encodeURI(key).replaceAll('%25', '%')}/publish`),
      await desk.call('POST', `/editions/${encodeURI(key).replaceAll('%25', '%')}/memos`, { body: memo }),
    ]

    for (const reply of replies) expect(refusalOf(reply)).toMatchObject({ status: 400, code })
  })

  it.each([
    [{}],
    [{ status: 'held' }],
    [{ status: 'Published' }],
    [{ status: null }],
    [{ status: ['draft'] }],
    [{ status: 'draft', publishAt: '2026-12-24T00:00:00Z' }],
    [{ status: 'draft', '': 1 }],
    [[]],
    ['draft'],
    [null],
    [17],
  ])('rejects the body %j', async (body) => {
    const reply = await desk.call('PUT', '/editions/12-04-26-10AM', { body })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })

  it.each([
    { payload: '{"status":', type: 'application/json', status: 400, code: 'invalid-request' },
    { payload: '', type: 'application/json', status: 400, code: 'invalid-request' },
    {
      payload: 'status=draft',
      type: 'application/x-www-form-urlencoded',
      status: 415,
      code: 'unsupported-media-type',
    },
    { payload: '<status/>', type: 'text/xml', status: 415, code: 'unsupported-media-type' },
    {
      payload: '{"status":"draft","__proto__":{"status":"published"}}',
      type: 'application/json',
      status: 400,
      code: 'invalid-request',
    },
  ])('rejects $payload as $type', async ({ payload, type, status, code }) => {
    const reply = await testApp.app.inject({
      method: 'PUT',
      url: '/desk/v1/editions/12-04-26-10AM',
      headers: { authorization: testApp.editor, 'content-type': type },
      payload,
    })

    expect(refusalOf(reply)).toMatchObject({ status, code })
  })
})

describe('POST /desk/v1/editions/{key}/publish', () => {
  it('publishes now, and changes nothing the second time', async () => {
    const key = '12-05-26-10AM'
    await desk.draft(key, ['First'])

    const first = await desk.publish(key)
    testApp.clock.pass(60_000)
    const second = await desk.publish(key)

    expect(first.status).toBe('published')
    expect(second).toEqual(first)
    expect((await desk.auditOf(key)).filter(({ action }) => action === 'edition.publish')).toHaveLength(1)
  })

  it('explains how to create an edition that does not exist', async () => {
    const refusal = refusalOf(await desk.call('POST', '/editions/12-05-26-3PM/publish'))

    expect(refusal).toMatchObject({ status: 404, code: 'edition-not-found' })
    expect(refusal.message).toContain('PUT /desk/v1/editions/12-05-26-3PM')
  })
})

describe('GET /desk/v1/editions', () => {
  it('pages through every edition without gaps or duplicates, newest day first', async () => {
    const own = await useTestApp({ working: false })
    const ownDesk = createTestDesk(own)
    const keys = ['10-01-26', '10-02-26', '10-03-26'].flatMap((date) =>
      ['10AM', '3PM', '8PM'].map((slot) => `${date}-${slot}`),
    )
    for (const key of keys) await ownDesk.draft(key, ['First'])

    const pages: DeskEditionSummary[][] = []
    let after: string | null = ''
    while (after !== null) {
      const reply = await ownDesk.call('GET', `/editions?limit=4${after === '' ? '' : `&after=${after}`}`)
      const page = pageOf(deskEditionSummary).parse(reply.json())
      pages.push(page.data)
      after = page.next
      // A new edition does not shift the pages.
      if (pages.length === 1) await ownDesk.draft('10-04-26-10AM')
    }

    const seen = pages.flat()
    expect(pages.map((page) => page.length)).toEqual([4, 4, 1])
    expect(seen.map(({ key }) => key).sort()).toEqual(keys.sort())
    expect(seen.map(({ date }) => date)).toEqual([...seen.map(({ date }) => date)].sort().reverse())
    expect(seen.every(({ memoCount, status }) => memoCount === 1 && status === 'draft')).toBe(true)
  })

  it.each([
    ['limit=0'],
    ['limit=201'],
    ['limit=-1'],
    ['limit=many'],
    ['limit=1.5'],
    ['after=nobody'],
    ['after=0193a000-0000-7000-8000-000000000000'],
    ["after='%20OR%201=1"],
    [`after=${'x'.repeat(101)}`],
    ['page=2'],
    ['limit=5&limit=6'],
    ['limit=5&__proto__=1'],
  ])('rejects the query %s', async (query) => {
    expect(refusalOf(await desk.call('GET', `/editions?${query}`))).toMatchObject({
      status: 400,
      code: 'invalid-request',
    })
  })
})

describe('GET /desk/v1/editions/{key}', () => {
  it('returns the memos in order and the version as ETag', async () => {
    await desk.draft('12-06-26-10AM', ['First', 'Second'])

    const reply = await desk.call('GET', '/editions/12-06-26-10AM')

    const { data } = dataOf(deskEdition).parse(reply.json())
    expect(data.memos.map(({ position, title }) => [position, title])).toEqual([
      [1, 'First'],
      [2, 'Second'],
    ])
    expect(reply.headers.etag).toBe(`"${data.version}"`)
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('returns 404 for an edition that does not exist', async () => {
    expect(refusalOf(await desk.call('GET', '/editions/12-06-26-3PM'))).toMatchObject({
      status: 404,
      code: 'edition-not-found',
    })
  })
})

describe('/desk/v1/editions/{key}', () => {
  it.each([
    ['GET', '/editions/12-07-26-10AM?full=1'],
    ['PUT', '/editions/12-07-26-10AM?status=published'],
    ['POST', '/editions/12-07-26-10AM/publish?now=1'],
    ['POST', '/editions/12-07-26-10AM/memos?position=1'],
  ] as const)('rejects the unknown query of %s %s', async (method, path) => {
    const body = {
      PUT: { status: 'draft' },
      POST: { title: 'A memo', memo_content: 'News.' },
      GET: undefined,
    }
    const reply = await desk.call(method, path, path.includes('publish?') ? {} : { body: body[method] })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })

  it.each([[{ when: 'now' }], [[1]], ['now'], [true]])('publishes nothing with the body %j', async (body) => {
    await desk.call('PUT', '/editions/12-07-26-3PM', { body: { status: 'draft' } })

    const reply = await desk.call('POST', '/editions/12-07-26-3PM/publish', { body })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    expect((await desk.read('12-07-26-3PM')).status).toBe('draft')
  })

  it('publishes with an empty JSON body, as some clients send', async () => {
    await desk.draft('12-07-26-8PM')

    const reply = await desk.call('POST', '/editions/12-07-26-8PM/publish', { body: {} })

    expect(reply.statusCode).toBe(200)
  })

  it.each(['DELETE', 'PATCH', 'POST'] as const)('has no %s of a whole edition', async (method) => {
    expect([404, 405]).toContain(refusalOf(await desk.call(method, '/editions/12-07-26-10AM')).status)
  })
})
