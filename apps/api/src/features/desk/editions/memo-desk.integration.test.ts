import { dataWithRemoved, deskMemo } from '@tidings/contracts/desk'
import { dataOf } from '@tidings/contracts/envelope'
import { limits } from '@tidings/contracts/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDesk, refusalOf, type TestDesk } from '#test/desk.ts'
import { draftEdition } from '#test/factories/editions.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

const unknownId = '0193a000-0000-7000-8000-000000000000'
const five = ['A', 'B', 'C', 'D', 'E']

let testApp: TestApp
let desk: TestDesk
let editionsMade = 0

beforeAll(async () => {
  testApp = await startTestApp({ databaseUrl: await createTestDatabase() })
  desk = createTestDesk(testApp)
})
afterAll(() => testApp.close())

/** Creates a draft with memos of these titles. Returns its key and the memo ids. */
async function newDraft(titles: readonly string[] = []): Promise<{ key: string; ids: string[] }> {
  editionsMade += 1
  const key = `01-${String((editionsMade % 28) + 1).padStart(2, '0')}-${40 + Math.floor(editionsMade / 28)}-10AM`
  const { memos } = await desk.draft(key, titles)
  return { key, ids: memos.map(({ id }) => id) }
}

describe('POST /desk/v1/editions/{key}/memos', () => {
  it('adds a memo with every key', async () => {
    const { key } = await newDraft()
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

  it.each([
    { position: 1, places: ['1 New', '2 A', '3 B'] },
    { position: 2, places: ['1 A', '2 New', '3 B'] },
    { position: 3, places: ['1 A', '2 B', '3 New'] },
    { position: 60, places: ['1 A', '2 B', '3 New'] },
    { position: undefined, places: ['1 A', '2 B', '3 New'] },
  ])('makes room at position $position', async ({ position, places }) => {
    const { key } = await newDraft(['A', 'B'])

    await desk.addMemo(key, { title: 'New', ...(position === undefined ? {} : { position }) })

    expect(await desk.places(key)).toEqual(places)
  })

  it('accepts sixty memos and rejects the next', async () => {
    const { key } = await newDraft()
    await draftEdition(testApp.context, key, limits.memosPerEdition)

    const reply = await desk.call('POST', `/editions/${key}/memos`, {
      body: { title: 'One more', memo_content: 'x' },
    })

    expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'edition-full' })
    expect((await desk.read(key)).memoCount).toBe(limits.memosPerEdition)
  })

  it('rejects a picture that was never uploaded', async () => {
    const { key } = await newDraft()
    const media = `${'a'.repeat(26)}.jpg`

    const reply = await desk.call('POST', `/editions/${key}/memos`, {
      body: { title: 'x', memo_content: 'x', media },
    })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    expect((await desk.read(key)).memoCount).toBe(0)
  })

  it('returns 404 for an edition that does not exist', async () => {
    const reply = await desk.call('POST', '/editions/01-01-99-10AM/memos', {
      body: { title: 'x', memo_content: 'x' },
    })

    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'edition-not-found' })
  })
})

describe('the content of a memo', () => {
  const good = { title: 'A memo', memo_content: '<p>News.</p>' }
  const wrong: [string, Record<string, unknown>][] = [
    ['no title', { title: undefined }],
    ['an empty title', { title: '' }],
    ['a title of blanks', { title: ' \t\n ' }],
    ['a title that is no text', { title: 17 }],
    ['a title in a list', { title: ['A memo'] }],
    ['a title of null', { title: null }],
    ['a title of 301 characters', { title: 'x'.repeat(301) }],
    ['no content', { memo_content: undefined }],
    ['an empty content', { memo_content: '' }],
    ['a content that is no text', { memo_content: { html: 'x' } }],
    ['a content of 40,001 characters', { memo_content: 'x'.repeat(40_001) }],
    ['a source that runs', { source: 'javascript:alert(1)' }],
    ['a disguised javascript: source', { source: 'JaVaScRiPt://example.com/%0aalert(1)' }],
    ['a source of data', { source: 'data:text/html,<script>alert(1)</script>' }],
    ['a file: source', { source: 'file:///etc/passwd' }],
    ['a source without a protocol', { source: '//example.com/' }],
    ['a source that is no address', { source: 'example' }],
    ['a source of 2,001 characters', { source: `https://example.com/${'x'.repeat(1981)}` }],
    ['a picture in another folder', { media: '../../etc/passwd' }],
    ['a picture at an address', { media: 'https://example.com/a.jpg' }],
    ['a picture of another form', { media: 'picture.jpg' }],
    ['a caption of 501 characters', { media_title: 'x'.repeat(501) }],
    ['a media text of 4,001 characters', { media_text: 'x'.repeat(4001) }],
    ['a position of 0', { position: 0 }],
    ['a negative position', { position: -1 }],
    ['a position of 61', { position: 61 }],
    ['half a position', { position: 1.5 }],
    ['a position in words', { position: 'first' }],
    ['a field that is none', { author: 'Anna' }],
    ['fields of the reply', { id: unknownId, counter: 1000, version: 7 }],
  ]

  it.each(wrong)('rejects %s when a memo is added', async (_what, fields) => {
    const { key } = await newDraft()

    const reply = await desk.call('POST', `/editions/${key}/memos`, { body: { ...good, ...fields } })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    expect((await desk.read(key)).memoCount).toBe(0)
  })

  it.each(wrong.filter(([what]) => !what.startsWith('no ')))(
    'rejects %s when a memo is changed',
    async (_what, fields) => {
      const { ids } = await newDraft(['A'])
      const before = await desk.readMemo(String(ids[0]))

      const reply = await desk.call('PATCH', `/memos/${before.id}`, { body: fields, ifMatch: '"1"' })

      expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
      expect(await desk.readMemo(before.id)).toEqual(before)
    },
  )

  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['a picture', '<img src=x onerror=alert(1)>'],
    ['tags only', '<p> </p><br>'],
  ])('rejects HTML without readable text: %s', async (_what, memo_content) => {
    const { key } = await newDraft()

    const reply = await desk.call('POST', `/editions/${key}/memos`, { body: { ...good, memo_content } })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-html' })
  })

  it('accepts the longest value of every key', async () => {
    const { key } = await newDraft()
    const longest = {
      title: 'é'.repeat(300),
      memo_content: `<p>${'x'.repeat(39_993)}</p>`,
      source: `https://example.com/${'x'.repeat(1980)}`,
      media_title: 'x'.repeat(500),
      media_text: 'x'.repeat(4000),
    }

    expect(await desk.addMemo(key, longest)).toMatchObject(longest)
  })

  it.each([
    ['SQL', `'); DROP TABLE memo; --`],
    ['more SQL', `" OR 1=1 -- \\' $1 \${x}`],
    ['right-to-left text', '\u202Eمرحبا \u05E9\u05DC\u05D5\u05DD\u202C'],
    ['emoji and joiners', '👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301'],
    ['HTML in the plain fields', '<b onmouseover="alert(1)">bold</b>'],
  ])('keeps %s in plain fields as text', async (_what, text) => {
    const { key } = await newDraft()

    const memo = await desk.addMemo(key, { title: text, media_title: text })

    expect(memo).toMatchObject({ title: text, media_title: text })
  })

  it.each([
    ['NUL', 'before\u0000after'],
    ['a bell', 'before\u0007after'],
    ['half of a character', 'before\uD83Dafter'],
    ['the other half', 'before\uDE42after'],
  ])('rejects %s in plain fields and removes it from HTML', async (_what, text) => {
    const { key, ids } = await newDraft(['A'])
    const plain = [{ title: text }, { source: `https://example.com/${text}` }, { media_title: text }]
    for (const field of plain) {
      const added = await desk.call('POST', `/editions/${key}/memos`, { body: { ...good, ...field } })
      const changed = await desk.call('PATCH', `/memos/${ids[0]}`, { body: field, ifMatch: '"1"' })
      expect(refusalOf(added)).toMatchObject({ status: 400, code: 'invalid-request' })
      expect(refusalOf(changed)).toMatchObject({ status: 400, code: 'invalid-request' })
    }

    const memo = await desk.addMemo(key, { memo_content: `<p>${text}</p>`, media_text: text })
    expect(memo.memo_content).toMatch(/^<p>before\uFFFD?after<\/p>$/)
    expect(memo.media_text).toMatch(/^before\uFFFD?after$/)
  })

  it('removes scripts, embeds and styles from HTML and keeps prose', async () => {
    const { key } = await newDraft()
    const dirty =
      '<h1 style="color:red" onclick="x()">Head</h1><script>alert(1)</script><p class="x">Te<b>x</b>t ' +
      '<a href="javascript:alert(1)">bad</a> <a href="https://example.com/" onclick="x()">good</a></p>' +
      '<img src="https://example.com/p.gif"><iframe src="https://example.com"></iframe><ul><li>One</li></ul>'

    const memo = await desk.addMemo(key, { memo_content: dirty, media_text: dirty })

    const clean =
      '<h2>Head</h2><p>Te<b>x</b>t bad <a href="https://example.com/" rel="noopener noreferrer" target="_blank">good</a></p>' +
      '<ul><li>One</li></ul>'
    expect(memo).toMatchObject({ memo_content: clean, media_text: clean })
  })

  it('lists what cleaning removed by field', async () => {
    const { key } = await newDraft()
    const body = {
      ...good,
      memo_content: '<p style="color:red">a</p><script>x</script>',
      media_text: '<p>b</p>',
    }

    const added = await desk.call('POST', `/editions/${key}/memos`, { body })
    const { id } = dataWithRemoved(deskMemo).parse(added.json()).data
    const changed = await desk.call('PATCH', `/memos/${id}`, {
      body: { media_text: '<img>' },
      ifMatch: '"1"',
    })
    const retitled = await desk.call('PATCH', `/memos/${id}`, { body: { title: 'B' }, ifMatch: '"2"' })

    expect(added.json()).toMatchObject({
      removed: [{ field: 'memo_content', removed: ['style', '<script>'] }],
    })
    expect(changed.json()).toMatchObject({ removed: [{ field: 'media_text', removed: ['<img>'] }] })
    expect(retitled.json()).toMatchObject({ removed: [] })
  })
})

describe('PATCH /desk/v1/memos/{id}', () => {
  it('changes only the keys in the request', async () => {
    const { ids } = await newDraft(['A'])
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
    })
  })

  it('clears the optional keys', async () => {
    const { key } = await newDraft()
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

  it.each(
    five.flatMap((_, from) =>
      [1, 2, 3, 4, 5, 6, 60].map((to) => {
        const others = five.filter((_title, index) => index !== from)
        const places = others.toSpliced(to - 1, 0, String(five[from]))
        return { from: from + 1, to, places: places.map((title, index) => `${index + 1} ${title}`) }
      }),
    ),
  )('moves memo $from of five to position $to', async ({ from, to, places }) => {
    const { key, ids } = await newDraft(five)

    const reply = await desk.call('PATCH', `/memos/${ids[from - 1]}`, {
      body: { position: to },
      ifMatch: '"1"',
    })

    expect(reply.statusCode).toBe(200)
    expect(await desk.places(key)).toEqual(places)
  })

  it.each([
    { ifMatch: undefined, status: 428, code: 'version-required' },
    { ifMatch: '"7"', status: 409, code: 'version-conflict' },
    { ifMatch: '*', status: 400, code: 'invalid-request' },
  ])('rejects If-Match $ifMatch and changes nothing', async ({ ifMatch, status, code }) => {
    const { ids } = await newDraft(['A'])
    const options = ifMatch === undefined ? {} : { ifMatch }

    const change = await desk.call('PATCH', `/memos/${ids[0]}`, { body: { title: 'B' }, ...options })
    const withdrawal = await desk.call('DELETE', `/memos/${ids[0]}`, options)

    expect(refusalOf(change)).toMatchObject({ status, code })
    expect(refusalOf(withdrawal)).toMatchObject({ status, code })
    expect((await desk.readMemo(String(ids[0]))).title).toBe('A')
  })

  it('rejects an empty change', async () => {
    const { ids } = await newDraft(['A'])

    const refusal = refusalOf(await desk.call('PATCH', `/memos/${ids[0]}`, { body: {}, ifMatch: '"1"' }))

    expect(refusal).toMatchObject({
      status: 400,
      code: 'invalid-request',
      message: 'names nothing to change',
    })
  })

  it('shows a change to readers at once when the edition is published', async () => {
    const { key, ids } = await newDraft(['A'])
    await desk.publish(key)
    const url = `/edition/prod/${key}`
    const before = await testApp.app.inject({ url, headers: { cookie: testApp.pass } })

    await desk.call('PATCH', `/memos/${ids[0]}`, { body: { title: 'Corrected' }, ifMatch: '"1"' })

    const after = await testApp.app.inject({ url, headers: { cookie: testApp.pass } })
    expect(before.json()[0].title).toBe('A')
    expect(after.json()[0].title).toBe('Corrected')
  })
})

describe('DELETE /desk/v1/memos/{id}', () => {
  it.each([
    { number: 1, places: ['1 B', '2 C', '3 D', '4 E'] },
    { number: 3, places: ['1 A', '2 B', '3 D', '4 E'] },
    { number: 5, places: ['1 A', '2 B', '3 C', '4 D'] },
  ])('withdraws memo $number of five and closes the gap', async ({ number, places }) => {
    const { key, ids } = await newDraft(five)
    const id = ids[number - 1]

    const reply = await desk.call('DELETE', `/memos/${id}`, { ifMatch: '"1"' })

    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ data: { id } })
    expect(await desk.places(key)).toEqual(places)
    expect((await desk.call('GET', `/memos/${id}`)).statusCode).toBe(404)
  })

  it('deletes the likes too and hides the memo from readers at once', async () => {
    const { key, ids } = await newDraft(['A', 'B'])
    await desk.publish(key)
    await testApp.context.database.db.memoLike.create({
      data: { memoId: String(ids[0]), readerId: unknownId },
    })
    await testApp.app.inject({ url: `/edition/prod/${key}`, headers: { cookie: testApp.pass } })

    await desk.call('DELETE', `/memos/${ids[0]}`, { ifMatch: '"1"' })

    const read = await testApp.app.inject({ url: `/edition/prod/${key}`, headers: { cookie: testApp.pass } })
    expect(read.json().map(({ title }: { title: string }) => title)).toEqual(['B'])
    expect(await testApp.context.database.db.memoLike.count({ where: { memoId: String(ids[0]) } })).toBe(0)
  })

  it('returns 404 the second time', async () => {
    const { ids } = await newDraft(['A'])
    await desk.call('DELETE', `/memos/${ids[0]}`, { ifMatch: '"1"' })

    expect(refusalOf(await desk.call('DELETE', `/memos/${ids[0]}`, { ifMatch: '"1"' }))).toMatchObject({
      status: 404,
      code: 'memo-not-found',
    })
  })
})

describe('/desk/v1/memos/{id}', () => {
  it.each(['GET', 'PATCH', 'DELETE'] as const)('returns 404 to %s of an unknown memo', async (method) => {
    const body = method === 'PATCH' ? { body: { title: 'B' } } : {}

    expect(
      refusalOf(await desk.call(method, `/memos/${unknownId}`, { ...body, ifMatch: '"1"' })),
    ).toMatchObject({
      status: 404,
      code: 'memo-not-found',
    })
  })

  it.each(['1', 'null', "'%20OR%20'1'='1", '%00', '..%2F..%2Farticles', 'x'.repeat(199)])(
    'returns 400 for the id %s',
    async (id) => {
      for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
        const body = method === 'PATCH' ? { body: { title: 'B' } } : {}
        const reply = await desk.call(method, `/memos/${id}`, { ...body, ifMatch: '"1"' })
        expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
      }
    },
  )
})
