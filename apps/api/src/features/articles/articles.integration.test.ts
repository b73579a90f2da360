import { gatedArticleRefusal, gatedArticleReply, gatedListReply } from '@tidings/contracts/articles'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { holdPlan, testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestApp } from '#test/test-app.ts'

const secretText = 'Only members read this sentence.'
const it = siteTest()
  .extend('articleId', { scope: 'file' }, async ({ site, db }) => {
    const article = await db.article.create({
      data: {
        title: 'For members',
        content: `<p>${secretText}</p>`,
        status: 'published',
        publishedAt: site.clock.now(),
      },
    })
    return article.id
  })

  /** Signs up a member with these plans and a gate pass. */
  .extend(
    'member',
    { scope: 'file' },
    ({ site, members }) =>
      async (...plans: string[]): Promise<{ memberId: string; headers: Record<string, string> }> => {
        const { memberId, headers } = await members.signUp()
        for (const plan of plans) await holdPlan(site, memberId, plan)
        return { memberId, headers: { ...headers, cookie: site.pass } }
      },
  )
const unknownId = '0199a1f4-1111-7abc-8def-0123456789ab'

describe.each([
  ['GET /edition/prod/get_gated_list', (_id: string) => '/edition/prod/get_gated_list'],
  ['GET /edition/prod/get_gated_list/{gatedID}', (id: string) => `/edition/prod/get_gated_list/${id}`],
])('%s', (_name, urlOf) => {
  it('requires the gate pass first', async ({ site, articleId }) => {
    const reply = await site.app.inject(urlOf(articleId))
    expect(reply.statusCode).toBe(401)
    expect(reply.json().error.code).toBe('gate-required')
  })

  it('requires a login after the gate pass', async ({ site, articleId }) => {
    const reply = await site.app.inject({ url: urlOf(articleId), headers: { cookie: site.pass } })
    expect(reply.statusCode).toBe(401)
    expect(reply.json().error.code).toBe('login-required')
  })

  it.for([
    ['a token that was made up', { authorization: 'Bearer member' }, 'client/invalid-token'],
    ["an editor's key", 'editor', 'client/invalid-token'],
    ["a reader's cookie", 'reader', 'login-required'],
  ] as const)('rejects %s', async ([_what, given, code], { site, articleId }) => {
    const reader = `tidings_reader=${site.context.readers.write(unknownId)}`
    const headers: Record<string, string> =
      given === 'editor'
        ? { cookie: site.pass, authorization: site.editor }
        : given === 'reader'
          ? { cookie: `${site.pass}; ${reader}` }
          : { cookie: site.pass, ...given }
    const reply = await site.app.inject({ url: urlOf(articleId), headers })
    expect(refusalOf(reply)).toMatchObject({ status: 401, code })
  })

  it('rejects members of another app', async ({ site, articleId }) => {
    const session = { id: unknownId, memberId: 'mem_1', appId: 'app_other' }
    const { articles } = site.context
    for (const read of [articles.titles(session), articles.article(articleId, session)]) {
      await expect(read).rejects.toMatchObject({ code: 'client/invalid-token', status: 401 })
    }
  })

  it('reveals nothing of an article in an error, and forbids caching it', async ({ site, articleId }) => {
    for (const headers of [{}, { cookie: site.pass }, { authorization: site.editor }]) {
      const reply = await site.app.inject({ url: urlOf(articleId), headers })
      expect(reply.body).not.toContain(secretText)
      expect(reply.body).not.toContain('For members')
      expect(reply.headers['cache-control']).toBe('no-store')
      expect(reply.headers.etag).toBeUndefined()
    }
  })

  it('rejects HEAD requests alike', async ({ site, articleId }) => {
    const reply = await site.app.inject({
      method: 'HEAD',
      url: urlOf(articleId),
      headers: { cookie: site.pass },
    })
    expect(reply.statusCode).toBe(401)
  })
})

describe('GET /edition/prod/get_gated_list/{gatedID}', () => {
  it('does not reveal which articles exist', async ({ site, articleId }) => {
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

/** Requests an article from a process. */
async function read(process: TestApp, id: string, headers: Record<string, string>) {
  return await process.app.inject({ url: `/edition/prod/get_gated_list/${id}`, headers })
}

describe('GET /edition/prod/get_gated_list for a member', () => {
  it('lists the titles for every plan, newest first, without drafts', async ({
    site,
    desk,
    articleId,
    member,
  }) => {
    const { key } = await desk.addGroup({ plans: [testPlans.yearly] })
    await desk.addArticle({ title: 'Draft' })
    const newer = await site.context.database.db.article.create({
      data: {
        title: 'Newer',
        content: '<p>x</p>',
        status: 'published',
        publishedAt: new Date(site.clock.now().getTime() + 1000),
        group: { connect: { appId_key: { appId: site.context.config.site.appId, key } } },
      },
    })
    const { headers } = await member()

    const reply = await site.app.inject({ url: '/edition/prod/get_gated_list', headers })

    expect(reply.headers['cache-control']).toBe('no-store')
    const { data } = gatedListReply.parse(reply.json())
    expect(data.slice(0, 2)).toEqual([
      { _id: newer.id, title: 'Newer' },
      { _id: articleId, title: 'For members' },
    ])
    expect(data.map(({ title }) => title)).not.toContain('Draft')
  })

  it('returns an article without a group in its wire shape', async ({ site, articleId, member }) => {
    const { headers } = await member()

    const reply = await read(site, articleId, headers)

    expect(reply.headers['cache-control']).toBe('no-store')
    expect(gatedArticleReply.parse(reply.json()).data).toEqual({
      _id: articleId,
      title: 'For members',
      media: '',
      media_title: '',
      memo_content: `<p>${secretText}</p>`,
    })
  })

  it('carries the language that its editor set', async ({ site, desk, member }) => {
    const { headers } = await member()
    const { id } = await desk.addArticle({ language: 'fr-ca', status: 'published' })

    const reply = await read(site, id, headers)

    expect(gatedArticleReply.parse(reply.json()).data.language).toBe('fr-CA')
  })

  it('returns 404 for drafts and unknown articles', async ({ site, desk, member }) => {
    const { headers } = await member()
    const draft = await desk.addArticle()

    for (const id of [draft.id, unknownId]) {
      expect(refusalOf(await read(site, id, headers))).toMatchObject({
        status: 404,
        code: 'article-not-found',
      })
    }
  })
})

describe('a gated article in a content group', () => {
  const { free, monthly, yearly } = testPlans
  const lists = { plans: [], permissions: [] }

  it.for([
    { asks: { ...lists, plans: [yearly] }, holds: [yearly], status: 200 },
    { asks: { ...lists, plans: [yearly] }, holds: [monthly, free], status: 403 },
    { asks: { ...lists, plans: [yearly] }, holds: [], status: 403 },
    { asks: { ...lists, plans: [yearly, monthly] }, holds: [monthly], status: 200 },
    { asks: { ...lists, permissions: ['paid'] }, holds: [monthly], status: 200 },
    { asks: { ...lists, permissions: ['paid'] }, holds: [free], status: 403 },
    { asks: { permissions: ['press'], plans: [yearly] }, holds: [yearly], status: 403 },
    { asks: { permissions: ['paid'], plans: [yearly] }, holds: [yearly], status: 200 },
    { asks: lists, holds: [], status: 200 },
  ])(
    'that requires $asks returns $status to a member with $holds',
    async ({ asks, holds, status }, { site, desk, member }) => {
      const { key } = await desk.addGroup(asks)
      const { id } = await desk.addArticle({
        memo_content: `<p>${secretText}</p>`,
        group: key,
        status: 'published',
      })
      const { headers } = await member(...holds)

      const reply = await read(site, id, headers)

      expect(reply.statusCode).toBe(status)
      expect(reply.headers['cache-control']).toBe('no-store')
      expect(reply.body.includes(secretText)).toBe(status === 200)
      if (status === 403) expect(refusalOf(reply).code).toBe('access-denied')
    },
  )

  it('names the plans that open it to a member without them', async ({ site, desk, member }) => {
    const { key } = await desk.addGroup({ plans: [yearly] })
    const { id } = await desk.addArticle({ group: key, status: 'published' })
    const { headers } = await member()
    const { error } = gatedArticleRefusal.parse((await read(site, id, headers)).json())
    expect(error).toMatchObject({ code: 'access-denied', plans: [yearly] })
  })

  it('closes as soon as the plan expires or is removed', async ({ site, otherProcess, desk, member }) => {
    const { db } = site.context.database
    const { key } = await desk.addGroup({ plans: [yearly] })
    const { id } = await desk.addArticle({ group: key, status: 'published' })
    const { memberId, headers } = await member(yearly)
    const connection = { memberId_planId: { memberId, planId: yearly } }
    expect((await read(otherProcess, id, headers)).statusCode).toBe(200)

    await db.planConnection.update({ where: connection, data: { active: false } })
    expect(refusalOf(await read(otherProcess, id, headers)).code).toBe('access-denied')

    await db.planConnection.update({ where: connection, data: { active: true } })
    expect((await read(otherProcess, id, headers)).statusCode).toBe(200)

    await db.planConnection.delete({ where: connection })
    expect(refusalOf(await read(otherProcess, id, headers)).code).toBe('access-denied')
  })

  it('applies changes of its group at once in every process', async ({
    site,
    otherProcess,
    desk,
    member,
  }) => {
    const { id: groupId, key } = await desk.addGroup({ plans: [monthly] })
    const { id } = await desk.addArticle({ group: key, status: 'published' })
    const { headers } = await member(monthly)
    expect((await read(otherProcess, id, headers)).statusCode).toBe(200)

    await desk.call('PATCH', `/content-groups/${groupId}`, { body: { plans: [yearly] }, ifMatch: '"1"' })
    for (const process of [site, otherProcess]) {
      expect(refusalOf(await read(process, id, headers)).code).toBe('access-denied')
    }

    await desk.call('PATCH', `/articles/${id}`, { body: { group: null }, ifMatch: '"1"' })
    for (const process of [site, otherProcess]) {
      expect((await read(process, id, headers)).statusCode).toBe(200)
    }
  })
})
