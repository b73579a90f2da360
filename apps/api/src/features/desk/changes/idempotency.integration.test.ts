import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { testNow } from '#test/test-app.ts'

const body = { title: 'A memo', memo_content: '<p>News.</p>' }
const hourMs = 3600 * 1000

const it = siteTest()

describe('Idempotency-Key', () => {
  it('returns the first response to a repeated POST and runs it once', async ({ desk }) => {
    await desk.draft('12-01-26-10AM')
    const path = '/editions/12-01-26-10AM/memos'

    const first = await desk.call('POST', path, { body, key: 'once' })
    const second = await desk.call('POST', path, { body, key: 'once' })

    expect(second.statusCode).toBe(201)
    expect(second.body).toBe(first.body)
    expect(second.headers.etag).toBe(first.headers.etag)
    expect((await desk.read('12-01-26-10AM')).memoCount).toBe(1)
    expect((await desk.auditOf('12-01-26-10AM')).filter(({ action }) => action === 'memo.add')).toHaveLength(
      1,
    )
  })

  it('returns the first response even after the memo has changed', async ({ desk }) => {
    await desk.draft('12-01-26-3PM')
    const first = await desk.call('POST', '/editions/12-01-26-3PM/memos', { body, key: 'changed-since' })
    await desk.call('PATCH', `/memos/${first.json().data.id}`, { body: { title: 'Other' }, ifMatch: '"1"' })

    const second = await desk.call('POST', '/editions/12-01-26-3PM/memos', { body, key: 'changed-since' })

    expect(second.body).toBe(first.body)
  })

  it('creates one memo for two concurrent requests and returns the same response', async ({ desk }) => {
    await desk.draft('12-01-26-8PM')

    const replies = await Promise.all(
      Array.from({ length: 5 }, () =>
        desk.call('POST', '/editions/12-01-26-8PM/memos', { body, key: 'at-once' }),
      ),
    )

    expect(new Set(replies.map((reply) => `${reply.statusCode} ${reply.body}`)).size).toBe(1)
    expect(replies[0]?.statusCode).toBe(201)
    expect((await desk.read('12-01-26-8PM')).memoCount).toBe(1)
  })

  it('is rejected with another body and on another URL', async ({ desk }) => {
    await desk.draft('12-02-26-10AM')
    await desk.draft('12-02-26-3PM')
    await desk.call('POST', '/editions/12-02-26-10AM/memos', { body, key: 'reused' })

    const refused = [
      await desk.call('POST', '/editions/12-02-26-10AM/memos', {
        body: { ...body, title: 'Other' },
        key: 'reused',
      }),
      await desk.call('POST', '/editions/12-02-26-3PM/memos', { body, key: 'reused' }),
      await desk.call('POST', '/editions/12-02-26-10AM/publish', { key: 'reused' }),
      await desk.call('POST', '/articles', { body, key: 'reused' }),
    ]

    for (const reply of refused) {
      expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'idempotency-key-reused' })
    }
    expect((await desk.read('12-02-26-3PM')).memoCount).toBe(0)
  })

  it('belongs to one editor key: with another one it is new', async ({ desk }) => {
    await desk.draft('12-02-26-8PM')
    const { as } = await desk.keyWith('write')
    const first = await desk.call('POST', '/editions/12-02-26-8PM/memos', { body, key: 'mine' })

    const second = await desk.call('POST', '/editions/12-02-26-8PM/memos', { body, key: 'mine', as })

    expect(second.json().data.id).not.toBe(first.json().data.id)
  })

  it('does not store errors: the same request succeeds once the cause is fixed', async ({ desk }) => {
    const path = '/editions/12-03-26-10AM/memos'
    const first = await desk.call('POST', path, { body, key: 'try-again' })
    await desk.draft('12-03-26-10AM')

    const second = await desk.call('POST', path, { body, key: 'try-again' })

    expect(first.statusCode).toBe(404)
    expect(second.statusCode).toBe(201)
  })

  it('expires after 24 hours', async ({ site, desk }) => {
    await desk.draft('12-03-26-3PM')
    const path = '/editions/12-03-26-3PM/memos'
    const first = await desk.call('POST', path, { body, key: 'a-day' })

    site.clock.moveTo(new Date(testNow.getTime() + 24 * hourMs))
    const withinTheDay = await desk.call('POST', path, { body, key: 'a-day' })
    site.clock.moveTo(new Date(testNow.getTime() + 24 * hourMs + 1))
    const afterwards = await desk.call('POST', path, { body: { ...body, title: 'Next day' }, key: 'a-day' })
    site.clock.moveTo(testNow)

    expect(withinTheDay.body).toBe(first.body)
    expect(afterwards.statusCode).toBe(201)
    expect(await desk.places('12-03-26-3PM')).toEqual(['1 A memo', '2 Next day'])
  })

  it('makes publishing and articles idempotent too', async ({ desk }) => {
    await desk.draft('12-03-26-8PM', ['A'])
    const publish = () => desk.call('POST', '/editions/12-03-26-8PM/publish', { key: 'publish-once' })
    const write = () => desk.call('POST', '/articles', { body, key: 'write-once' })

    const published = [await publish(), await publish()]
    const written = [await write(), await write()]
    const articlePublish = () =>
      desk.call('POST', `/articles/${written[0]?.json().data.id}/publish`, { key: 'article-once' })
    const articles = [await articlePublish(), await articlePublish()]

    for (const [first, second] of [published, written, articles]) expect(second?.body).toBe(first?.body)
    expect(published[0]?.statusCode).toBe(200)
    expect(written[0]?.statusCode).toBe(201)
  })

  it.for([['with a space'], ['é'], ['x'.repeat(201)], ['']] as const)(
    'rejects the key %j',
    async ([key], { desk }) => {
      const reply = await desk.call('POST', '/editions/12-03-26-8PM/publish', {
        headers: { 'idempotency-key': key },
      })

      expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    },
  )
})
