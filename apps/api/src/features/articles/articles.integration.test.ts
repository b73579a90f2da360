import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestDatabase } from '../../../test/test-database.ts'

const secretText = 'Only members read this sentence.'

let site: TestApp
let articleId: string
beforeAll(async () => {
  site = await startTestApp({ databaseUrl: await createTestDatabase() })
  const article = await site.context.database.db.article.create({
    data: {
      title: 'For members',
      content: `<p>${secretText}</p>`,
      status: 'published',
      publishedAt: site.clock.now(),
    },
  })
  articleId = article.id
})
afterAll(() => site.close())

const unknownId = '0199a1f4-1111-7abc-8def-0123456789ab'

describe.each([
  ['GET /edition/prod/get_gated_list', () => '/edition/prod/get_gated_list'],
  ['GET /edition/prod/get_gated_list/{gatedID}', () => `/edition/prod/get_gated_list/${articleId}`],
])('%s', (_name, urlOf) => {
  it('asks for the gate first', async () => {
    const reply = await site.app.inject(urlOf())
    expect(reply.statusCode).toBe(401)
    expect(reply.json().error.code).toBe('gate-required')
  })

  it('asks for a login next', async () => {
    const reply = await site.app.inject({ url: urlOf(), headers: { cookie: site.pass } })
    expect(reply.statusCode).toBe(401)
    expect(reply.json().error.code).toBe('login-required')
  })

  it.each([
    ['a token that was made up', { authorization: 'Bearer member' }],
    ["an editor's key", 'editor'],
    ["a reader's cookie", 'reader'],
  ] as const)('is not opened by %s', async (_what, given) => {
    const reader = `tidings_reader=${site.context.readers.write(unknownId)}`
    const headers: Record<string, string> =
      given === 'editor'
        ? { cookie: site.pass, authorization: site.editor }
        : given === 'reader'
          ? { cookie: `${site.pass}; ${reader}` }
          : { cookie: site.pass, ...given }
    const reply = await site.app.inject({ url: urlOf(), headers })
    expect(reply.statusCode).toBe(401)
    expect(reply.json().error.code).toBe('login-required')
  })

  it('lets no word of an article out, and nobody keep the refusal', async () => {
    for (const headers of [{}, { cookie: site.pass }, { authorization: site.editor }]) {
      const reply = await site.app.inject({ url: urlOf(), headers })
      expect(reply.body).not.toContain(secretText)
      expect(reply.body).not.toContain('For members')
      expect(reply.headers['cache-control']).toBe('no-store')
      expect(reply.headers.etag).toBeUndefined()
    }
  })

  it('refuses HEAD alike', async () => {
    const reply = await site.app.inject({ method: 'HEAD', url: urlOf(), headers: { cookie: site.pass } })
    expect(reply.statusCode).toBe(401)
  })
})

describe('GET /edition/prod/get_gated_list/{gatedID}', () => {
  it('tells nobody outside which articles there are', async () => {
    const bodies: string[] = []
    for (const id of [articleId, unknownId, 'nonsense', "' OR 1=1 --"]) {
      const reply = await site.app.inject({
        url: `/edition/prod/get_gated_list/${encodeURIComponent(id)}`,
        headers: { cookie: site.pass },
      })
      bodies.push(reply.body)
    }
    expect(new Set(bodies).size).toBe(1)
  })
})

describe('articles as members will read them', () => {
  it('are listed by title, newest first, without drafts', async () => {
    const { db } = site.context.database
    const newer = await db.article.create({
      data: {
        title: 'Newer',
        content: '<p>x</p>',
        status: 'published',
        publishedAt: new Date(site.clock.now().getTime() + 1000),
      },
    })
    await db.article.create({ data: { title: 'Draft', content: '<p>x</p>' } })
    expect(await site.context.articles.titles()).toEqual([
      { _id: newer.id, title: 'Newer' },
      { _id: articleId, title: 'For members' },
    ])
  })

  it('are whole, in the words of the wire', async () => {
    expect(await site.context.articles.article(articleId)).toEqual({
      _id: articleId,
      title: 'For members',
      media: '',
      media_title: '',
      memo_content: `<p>${secretText}</p>`,
    })
  })

  it('are not there as drafts', async () => {
    const draft = await site.context.database.db.article.create({ data: { title: 'D', content: '<p>x</p>' } })
    for (const id of [draft.id, unknownId]) {
      await expect(site.context.articles.article(id)).rejects.toMatchObject({
        code: 'article-not-found',
        status: 404,
      })
    }
  })
})
