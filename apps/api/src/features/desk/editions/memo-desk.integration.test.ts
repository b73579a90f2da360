import { deskMemo } from '@tidings/contracts/desk/memos'
import { dataOf } from '@tidings/contracts/envelope'
import { limits } from '@tidings/contracts/limits'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { draftEdition } from '#test/factories/editions.ts'
import { siteTest } from '#test/fixtures.ts'

const unknownId = '0193a000-0000-7000-8000-000000000000'
const five = ['A', 'B', 'C', 'D', 'E']

const it = siteTest()

describe('POST /desk/v1/editions/{key}/memos', () => {
  it('adds a memo with every key', async ({ desk }) => {
    const { key } = await desk.newDraft()
    const body = {
      title: '  A title  ',
      memo_content: '<p>News with <a href="https://example.com/">a link</a>.</p>',
      source: 'https://example.com/story?id=1&x=ü',
      media_title: 'A caption',
      media_text: '<p>Alt.</p>',
    }

    const reply = await desk.call('POST', `/editions/${key}/memos`, { body })

    const memo = dataOf(deskMemo).parse(reply.json()).data
    expect(reply.statusCode).toBe(201)
    expect(reply.headers.etag).toBe('"1"')
    expect(memo).toMatchObject({
      ...body,
      title: 'A title',
      memo_content: expect.stringContaining('>a link</a>'),
      edition: key,
      position: 1,
      media: '',
      counter: 0,
    })
    expect(await desk.readMemo(memo.id)).toEqual(memo)
  })

  it.for([
    { position: 1, places: ['1 New', '2 A', '3 B'] },
    { position: 2, places: ['1 A', '2 New', '3 B'] },
    { position: 3, places: ['1 A', '2 B', '3 New'] },
    { position: 60, places: ['1 A', '2 B', '3 New'] },
    { position: undefined, places: ['1 A', '2 B', '3 New'] },
  ])('makes room at position $position', async ({ position, places }, { desk }) => {
    const { key } = await desk.newDraft(['A', 'B'])

    await desk.addMemo(key, { title: 'New', ...(position === undefined ? {} : { position }) })

    expect(await desk.places(key)).toEqual(places)
  })

  it('accepts sixty memos and rejects the next', async ({ site, desk }) => {
    const { key } = await desk.newDraft()
    await draftEdition(site.context, key, limits.memosPerEdition)

    const reply = await desk.call('POST', `/editions/${key}/memos`, {
      body: { title: 'One more', memo_content: 'x' },
    })

    expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'edition-full' })
    expect((await desk.read(key)).memoCount).toBe(limits.memosPerEdition)
  })

  it('rejects a picture that was never uploaded', async ({ desk }) => {
    const { key } = await desk.newDraft()
    const media = `${'a'.repeat(26)}.jpg`

    const reply = await desk.call('POST', `/editions/${key}/memos`, {
      body: { title: 'x', memo_content: 'x', media },
    })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    expect((await desk.read(key)).memoCount).toBe(0)
  })

  it('returns 404 for an edition that does not exist', async ({ desk }) => {
    const reply = await desk.call('POST', '/editions/01-01-99-10AM/memos', {
      body: { title: 'x', memo_content: 'x' },
    })

    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'edition-not-found' })
  })
})

describe('PATCH /desk/v1/memos/{id}', () => {
  it('changes only the keys in the request', async ({ desk }) => {
    const { ids } = await desk.newDraft(['A'])
    const before = await desk.readMemo(String(ids[0]))

    const reply = await desk.call('PATCH', `/memos/${before.id}`, {
      body: { source: 'https://example.com/new' },
      ifMatch: '"1"',
    })

    const after = dataOf(deskMemo).parse(reply.json()).data
    expect(reply.headers.etag).toBe('"2"')
    expect({ ...after, updatedAt: before.updatedAt }).toEqual({
      ...before,
      source: 'https://example.com/new',
      version: 2,
      savedBy: 'EDITOR_API_KEY',
    })
  })

  it('clears the optional keys', async ({ desk }) => {
    const { key } = await desk.newDraft()
    const { id } = await desk.addMemo(key, {
      source: 'https://example.com/',
      media_title: 'Caption',
      media_text: 'Text',
    })

    await desk.call('PATCH', `/memos/${id}`, {
      body: { source: '', media: '', media_title: '', media_text: '' },
      ifMatch: '"1"',
    })

    expect(await desk.readMemo(id)).toMatchObject({ source: '', media: '', media_title: '', media_text: '' })
  })

  it.for(
    five.flatMap((_, from) =>
      [1, 3, 5, 60].map((to) => {
        const others = five.filter((_title, index) => index !== from)
        const places = others.toSpliced(to - 1, 0, String(five[from]))
        return { from: from + 1, to, places: places.map((title, index) => `${index + 1} ${title}`) }
      }),
    ),
  )('moves memo $from of five to position $to', async ({ from, to, places }, { desk }) => {
    const { key, ids } = await desk.newDraft(five)

    const reply = await desk.call('PATCH', `/memos/${ids[from - 1]}`, {
      body: { position: to },
      ifMatch: '"1"',
    })

    expect(reply.statusCode).toBe(200)
    expect(await desk.places(key)).toEqual(places)
  })

  it.for([
    { ifMatch: undefined, status: 428, code: 'version-required' },
    { ifMatch: '"7"', status: 409, code: 'version-conflict' },
    { ifMatch: '*', status: 400, code: 'invalid-request' },
  ])('rejects If-Match $ifMatch and changes nothing', async ({ ifMatch, status, code }, { desk }) => {
    const { ids } = await desk.newDraft(['A'])
    const options = ifMatch === undefined ? {} : { ifMatch }

    const change = await desk.call('PATCH', `/memos/${ids[0]}`, { body: { title: 'B' }, ...options })
    const withdrawal = await desk.call('DELETE', `/memos/${ids[0]}`, options)

    expect(refusalOf(change)).toMatchObject({ status, code })
    expect(refusalOf(withdrawal)).toMatchObject({ status, code })
    expect((await desk.readMemo(String(ids[0]))).title).toBe('A')
  })

  it('rejects an empty change', async ({ desk }) => {
    const { ids } = await desk.newDraft(['A'])

    const refusal = refusalOf(await desk.call('PATCH', `/memos/${ids[0]}`, { body: {}, ifMatch: '"1"' }))

    expect(refusal).toMatchObject({
      status: 400,
      code: 'invalid-request',
      message: 'names nothing to change',
    })
  })

  it('shows a change to readers at once when the edition is published', async ({ site, desk }) => {
    const { key, ids } = await desk.newDraft(['A'])
    await desk.publish(key)
    const url = `/edition/prod/${key}`
    const before = await site.app.inject({ url, headers: { cookie: site.pass } })

    await desk.call('PATCH', `/memos/${ids[0]}`, { body: { title: 'Corrected' }, ifMatch: '"1"' })

    const after = await site.app.inject({ url, headers: { cookie: site.pass } })
    expect(before.json()[0].title).toBe('A')
    expect(after.json()[0].title).toBe('Corrected')
  })
})

describe('DELETE /desk/v1/memos/{id}', () => {
  it.for([
    { number: 1, places: ['1 B', '2 C', '3 D', '4 E'] },
    { number: 3, places: ['1 A', '2 B', '3 D', '4 E'] },
    { number: 5, places: ['1 A', '2 B', '3 C', '4 D'] },
  ])('withdraws memo $number of five and closes the gap', async ({ number, places }, { desk }) => {
    const { key, ids } = await desk.newDraft(five)
    const id = ids[number - 1]

    const reply = await desk.call('DELETE', `/memos/${id}`, { ifMatch: '"1"' })

    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ data: { id } })
    expect(await desk.places(key)).toEqual(places)
    expect((await desk.call('GET', `/memos/${id}`)).statusCode).toBe(404)
  })

  it('deletes the likes too and hides the memo from readers at once', async ({ site, desk }) => {
    const { key, ids } = await desk.newDraft(['A', 'B'])
    await desk.publish(key)
    await site.context.database.db.memoLike.create({
      data: { memoId: String(ids[0]), readerId: unknownId },
    })
    await site.app.inject({ url: `/edition/prod/${key}`, headers: { cookie: site.pass } })

    await desk.call('DELETE', `/memos/${ids[0]}`, { ifMatch: '"1"' })

    const read = await site.app.inject({ url: `/edition/prod/${key}`, headers: { cookie: site.pass } })
    expect(read.json().map(({ title }: { title: string }) => title)).toEqual(['B'])
    expect(await site.context.database.db.memoLike.count({ where: { memoId: String(ids[0]) } })).toBe(0)
  })

  it('returns 404 the second time', async ({ desk }) => {
    const { ids } = await desk.newDraft(['A'])
    await desk.call('DELETE', `/memos/${ids[0]}`, { ifMatch: '"1"' })

    expect(refusalOf(await desk.call('DELETE', `/memos/${ids[0]}`, { ifMatch: '"1"' }))).toEqual({
      status: 404,
      code: 'memo-not-found',
      message: 'This memo doesn’t exist. If it was deleted, GET /desk/v1/deleted-memos has it for 30 days.',
    })
  })
})

describe('/desk/v1/memos/{id}', () => {
  it.for(['GET', 'PATCH', 'DELETE'] as const)(
    'returns 404 to %s of an unknown memo',
    async (method, { desk }) => {
      const body = method === 'PATCH' ? { body: { title: 'B' } } : {}

      expect(
        refusalOf(await desk.call(method, `/memos/${unknownId}`, { ...body, ifMatch: '"1"' })),
      ).toMatchObject({
        status: 404,
        code: 'memo-not-found',
      })
    },
  )

  it.for(['1', 'null', "'%20OR%20'1'='1", '%00', '..%2F..%2Farticles', 'x'.repeat(199)])(
    'returns 400 for the id %s',
    async (id, { desk }) => {
      for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
        const body = method === 'PATCH' ? { body: { title: 'B' } } : {}
        const reply = await desk.call(method, `/memos/${id}`, { ...body, ifMatch: '"1"' })
        expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
      }
    },
  )
})
