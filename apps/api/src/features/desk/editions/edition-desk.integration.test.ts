import { deskEdition } from '@tidings/contracts/desk/editions'
import { dataOf } from '@tidings/contracts/envelope'
import { limits } from '@tidings/contracts/limits'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest()

describe('PUT /desk/v1/editions/{key}', () => {
  it('creates a draft that readers do not see', async ({ site, desk }) => {
    const reply = await desk.call('PUT', '/editions/12-01-26-10AM', { body: { status: 'draft' } })

    const edition = dataOf(deskEdition).parse(reply.json()).data
    const read = await site.app.inject({
      url: '/edition/prod/12-01-26-10AM',
      headers: { cookie: site.pass },
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

  it('publishes an existing edition with the version that was read', async ({ site, desk }) => {
    const { version } = await desk.draft('12-01-26-3PM', ['First'])

    const reply = await desk.call('PUT', '/editions/12-01-26-3PM', {
      body: { status: 'published' },
      ifMatch: `"${version}"`,
    })

    expect(reply.statusCode).toBe(200)
    expect(reply.headers.etag).toBe(`"${version + 1}"`)
    expect(dataOf(deskEdition).parse(reply.json()).data).toMatchObject({
      status: 'published',
      publishedAt: site.clock.now().toISOString(),
    })
  })

  it('creates and publishes in one request', async ({ desk }) => {
    const reply = await desk.call('PUT', '/editions/12-01-26-8PM', { body: { status: 'published' } })

    expect(reply.statusCode).toBe(201)
    expect((await desk.read('12-01-26-8PM')).status).toBe('published')
  })

  it('withdraws a published edition from readers', async ({ site, desk }) => {
    const key = '12-02-26-10AM'
    await desk.draft(key, ['First'])
    const { version } = await desk.publish(key)

    const reply = await desk.call('PUT', `/editions/${key}`, {
      body: { status: 'draft' },
      ifMatch: `"${version}"`,
    })

    const read = await site.app.inject({ url: `/edition/prod/${key}`, headers: { cookie: site.pass } })
    const times = await site.app.inject({
      url: '/edition/prod/get_time_list/12-02-26',
      headers: { cookie: site.pass },
    })
    expect(reply.statusCode).toBe(200)
    expect(await desk.read(key)).toMatchObject({ status: 'draft', publishedAt: null, memoCount: 1 })
    expect(read.statusCode).toBe(404)
    expect(times.json()).toEqual({ date: '12-02-26', timeStamp: [] })
  })

  it('changes nothing for the current status', async ({ desk }) => {
    const { version } = await desk.draft('12-02-26-3PM')

    const reply = await desk.call('PUT', '/editions/12-02-26-3PM', {
      body: { status: 'draft' },
      ifMatch: `"${version}"`,
    })

    expect(reply.statusCode).toBe(200)
    expect(reply.headers.etag).toBe(`"${version}"`)
  })

  it.for([
    { ifMatch: undefined, status: 428, code: 'version-required' },
    { ifMatch: '"99"', status: 409, code: 'version-conflict' },
    { ifMatch: 'latest', status: 400, code: 'invalid-request' },
  ])(
    'rejects a change of an existing edition with If-Match $ifMatch',
    async ({ ifMatch, status, code }, { desk }) => {
      const key = '12-03-26-10AM'
      await desk.call('PUT', `/editions/${key}`, { body: { status: 'draft' } })

      const reply = await desk.call('PUT', `/editions/${key}`, {
        body: { status: 'published' },
        ...(ifMatch === undefined ? {} : { ifMatch }),
      })

      expect(refusalOf(reply)).toMatchObject({ status, code })
      const current = await desk.read(key)
      expect(current.status).toBe('draft')
      if (status === 409) expect(reply.json().error.current).toEqual(current)
    },
  )

  it('rejects a version of an edition that does not exist', async ({ desk }) => {
    const reply = await desk.call('PUT', '/editions/12-03-26-3PM', {
      body: { status: 'draft' },
      ifMatch: '"1"',
    })

    expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'version-conflict' })
    expect((await desk.call('GET', '/editions/12-03-26-3PM')).statusCode).toBe(404)
  })

  it('returns 404 with the configured slots for an unknown slot', async ({ desk }) => {
    const refusal = refusalOf(await desk.call('PUT', '/editions/12-03-26-9AM', { body: { status: 'draft' } }))

    expect(refusal).toMatchObject({ status: 404, code: 'slot-not-found' })
    expect(refusal.message).toContain('10AM, 3PM, 8PM')
  })

  it('does not schedule an edition for the past', async ({ desk }) => {
    const reply = await desk.call('PUT', '/editions/11-19-26-10AM', { body: { status: 'scheduled' } })

    expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'edition-not-scheduled-in-future' })
    expect((await desk.call('GET', '/editions/11-19-26-10AM')).statusCode).toBe(404)
  })

  it.for([
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
  ] as const)('rejects the key %s in every route', async ([key, code], { desk }) => {
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

  it.for([
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
  ] as const)('rejects the body %j', async ([body], { desk }) => {
    const reply = await desk.call('PUT', '/editions/12-04-26-10AM', { body })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })

  it.for([
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
  ])('rejects $payload as $type', async ({ payload, type, status, code }, { site }) => {
    const reply = await site.app.inject({
      method: 'PUT',
      url: '/desk/v1/editions/12-04-26-10AM',
      headers: { authorization: site.editor, 'content-type': type },
      payload,
    })

    expect(refusalOf(reply)).toMatchObject({ status, code })
  })
})

describe('POST /desk/v1/editions/{key}/publish', () => {
  it('publishes now, and changes nothing the second time', async ({ site, desk }) => {
    const key = '12-05-26-10AM'
    await desk.draft(key, ['First'])

    const first = await desk.publish(key)
    site.clock.pass(60_000)
    const second = await desk.publish(key)

    expect(first.status).toBe('published')
    expect(second).toEqual(first)
    expect((await desk.auditOf(key)).filter(({ action }) => action === 'edition.publish')).toHaveLength(1)
  })

  it('explains how to create an edition that does not exist', async ({ desk }) => {
    const refusal = refusalOf(await desk.call('POST', '/editions/12-05-26-3PM/publish'))

    expect(refusal).toMatchObject({ status: 404, code: 'edition-not-found' })
    expect(refusal.message).toContain('PUT /desk/v1/editions/12-05-26-3PM')
  })
})

describe('/desk/v1/editions/{key}', () => {
  it.for([
    ['GET', '/editions/12-07-26-10AM?full=1'],
    ['PUT', '/editions/12-07-26-10AM?status=published'],
    ['POST', '/editions/12-07-26-10AM/publish?now=1'],
    ['POST', '/editions/12-07-26-10AM/memos?position=1'],
  ] as const)('rejects the unknown query of %s %s', async ([method, path], { desk }) => {
    const body = {
      PUT: { status: 'draft' },
      POST: { title: 'A memo', memo_content: 'News.' },
      GET: undefined,
    }
    const reply = await desk.call(method, path, path.includes('publish?') ? {} : { body: body[method] })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })

  it.for([[{ when: 'now' }], [[1]], ['now'], [true]] as const)(
    'publishes nothing with the body %j',
    async ([body], { desk }) => {
      await desk.call('PUT', '/editions/12-07-26-3PM', { body: { status: 'draft' } })

      const reply = await desk.call('POST', '/editions/12-07-26-3PM/publish', { body })

      expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
      expect((await desk.read('12-07-26-3PM')).status).toBe('draft')
    },
  )

  it('publishes with the subject that was seen, which stays once it is public', async ({ desk }) => {
    const key = '12-08-26-8PM'
    await desk.draft(key)
    const publish = (body: object) => desk.call('POST', `/editions/${key}/publish`, { body })

    const refused = await publish({ subject: 'x'.repeat(limits.subjectCharacters + 1) })
    expect(refusalOf(refused)).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(await desk.read(key)).toMatchObject({ status: 'draft', subject: '' })

    await publish({ subject: ' Ships plug in ' })
    expect(await desk.read(key)).toMatchObject({ status: 'published', subject: 'Ships plug in' })
    const { version } = await desk.read(key)
    await publish({ subject: 'Another' })
    expect(await desk.read(key)).toMatchObject({ subject: 'Ships plug in', version })
  })

  it('publishes with an empty JSON body, as some clients send', async ({ desk }) => {
    await desk.draft('12-07-26-8PM')

    const reply = await desk.call('POST', '/editions/12-07-26-8PM/publish', { body: {} })

    expect(reply.statusCode).toBe(200)
  })

  it.for(['PATCH', 'POST'] as const)('has no %s of a whole edition', async (method, { desk }) => {
    expect([404, 405]).toContain(refusalOf(await desk.call(method, '/editions/12-07-26-10AM')).status)
  })
})
