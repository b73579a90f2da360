import { channelInfoReply } from '@tidings/contracts/membership/comments'
import { describe, expect } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { refusalOf } from '#test/desk.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { holdPlan, testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'

type Caller = { headers: Record<string, string> }

const unknownId = '0199a1f4-1111-7abc-8def-0123456789ab'
const { yearly } = testPlans

const it = siteTest()
  .extend('talk', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  /** Signs up a member with these plans and a gate pass. */
  .extend('reader', { scope: 'file' }, ({ site, members }) => async (...plans: string[]) => {
    const { memberId, headers } = await members.signUp()
    for (const plan of plans) await holdPlan(site, memberId, plan)
    return { memberId, headers: { ...headers, cookie: site.pass } }
  })
  /** Publishes an article for members of the yearly plan, with a post and a thread below it. */
  .extend('discussed', { scope: 'file' }, ({ desk, talk, reader }) => async () => {
    const { key } = await desk.addGroup({ plans: [yearly] })
    const article = await desk.addArticle({ group: key, status: 'published' })
    const channelKey = `article:${article.id}`
    const author = await reader(yearly)
    const post = await talk.post(author, channelKey)
    const thread = await talk.thread(author, post.id)
    return { article, channelKey, author, post, thread }
  })
  /** Returns the outcome of each call on the channel, its post and its thread. */
  .extend(
    'outcomes',
    { scope: 'file' },
    ({ talk }) =>
      async (caller: Caller, channelKey: string, postId: string, threadId: string) => {
        const content = 'Words'
        const vote = { vote: 'UP' }
        const replies = {
          info: await talk.read(caller, '/channels/info', { channelKey }),
          posts: await talk.read(caller, '/posts', { channelKey }),
          threads: await talk.read(caller, '/threads', { postId }),
          post: await talk.write(caller, 'POST', '/posts', { channelKey, content }),
          thread: await talk.write(caller, 'POST', '/threads', { postId, content }),
          votePost: await talk.write(caller, 'POST', `/posts/${postId}/vote`, vote),
          voteThread: await talk.write(caller, 'POST', `/threads/${threadId}/vote`, vote),
          typing: await talk.write(caller, 'POST', '/posts/typing', { channelKey }),
          subscribe: await talk.write(caller, 'POST', '/channels/manage-subscription', {
            channelKey,
            action: 'THREADS_ONLY',
          }),
        }
        return Object.fromEntries(
          Object.entries(replies).map(([name, reply]) => [
            name,
            reply.statusCode === 200 ? '200' : `${reply.statusCode} ${refusalOf(reply).code}`,
          ]),
        )
      },
  )

function all(outcome: string) {
  const reads = { info: outcome, posts: outcome, threads: outcome }
  const writes = { post: outcome, thread: outcome, votePost: outcome, voteThread: outcome }
  return { ...reads, ...writes, typing: outcome, subscribe: outcome }
}

describe("an article's channel", () => {
  it('is open to members whose plan opens the article', async ({ discussed, reader, outcomes }) => {
    const { channelKey, post, thread } = await discussed()

    expect(await outcomes(await reader(yearly), channelKey, post.id, thread.id)).toEqual(all('200'))
  })

  it('is closed to members without the plan', async ({ discussed, reader, outcomes }) => {
    const { channelKey, post, thread } = await discussed()

    expect(await outcomes(await reader(), channelKey, post.id, thread.id)).toEqual(all('403 access-denied'))
  })

  it('requires the gate pass, as the article does', async ({ discussed, outcomes }) => {
    const { channelKey, author, post, thread } = await discussed()
    const { cookie: _pass, ...headers } = author.headers

    expect(await outcomes({ headers }, channelKey, post.id, thread.id)).toEqual(all('401 gate-required'))
  })

  it('is closed to visitors', async ({ site, discussed, members, outcomes }) => {
    const { channelKey, post, thread } = await discussed()
    const visitor = { headers: { ...members.visitor, cookie: site.pass } }

    expect(await outcomes(visitor, channelKey, post.id, thread.id)).toEqual(all('401 login-required'))
  })

  it('reveals no word of a comment in an error', async ({ discussed, talk, reader }) => {
    const { channelKey, author, post } = await discussed()
    await talk.thread(author, post.id, 'A secret reply')
    const outsider = await reader()

    for (const reply of [
      await talk.read(outsider, '/posts', { channelKey }),
      await talk.read(outsider, '/threads', { postId: post.id }),
    ]) {
      expect(reply.body).not.toMatch(/A post|secret/)
      expect(reply.headers['cache-control']).toBe('no-store')
    }
  })

  it('is open to every member for an article without a group', async ({ desk, talk, reader }) => {
    const { id } = await desk.addArticle({ status: 'published' })
    await talk.post(await reader(), `article:${id}`)

    const viewer = await reader()

    expect((await talk.posts(`article:${id}`, {}, viewer)).totalCount).toBe(1)
  })

  it.for(['lower', 'upper'] as const)(
    'exists for no draft or unknown article, in %s case',
    async (letters, { desk, talk, reader }) => {
      const draft = await desk.addArticle()
      const member = await reader(yearly)

      for (const id of [draft.id, unknownId]) {
        const channelKey = `article:${letters === 'upper' ? id.toUpperCase() : id}`
        for (const reply of [
          await talk.read(member, '/posts', { channelKey }),
          await talk.write(member, 'POST', '/posts', { channelKey, content: 'x' }),
        ]) {
          expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'article-not-found' })
        }
      }
    },
  )

  it('closes with the plan, and still lets authors delete and unsubscribe', async ({
    db,
    discussed,
    talk,
    outcomes,
  }) => {
    const { channelKey, author, post, thread } = await discussed()
    await db.planConnection.deleteMany({ where: { memberId: author.memberId } })

    const seen = await outcomes(author, channelKey, post.id, thread.id)
    const edited = await talk.write(author, 'PATCH', `/posts/${post.id}/update`, { content: 'x' })
    const left = await talk.write(author, 'POST', '/channels/manage-subscription', {
      channelKey,
      action: 'NONE',
    })
    const deleted = [
      await talk.write(author, 'DELETE', `/threads/${thread.id}`),
      await talk.write(author, 'DELETE', `/posts/${post.id}`),
    ]

    expect(seen).toEqual(all('403 access-denied'))
    expect(refusalOf(edited).code).toBe('access-denied')
    expect([left, ...deleted].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  })

  it('closes when the article is withdrawn', async ({ desk, discussed, talk }) => {
    const { article, channelKey, author, post } = await discussed()
    await desk.call('PATCH', `/articles/${article.id}`, { body: { status: 'draft' }, ifMatch: '"1"' })

    for (const reply of [
      await talk.read(author, '/posts', { channelKey }),
      await talk.read(author, '/threads', { postId: post.id }),
    ]) {
      expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'article-not-found' })
    }
  })

  it('belongs to the site alone: the same key of another app is public', async ({
    site,
    discussed,
    talk,
  }) => {
    const { channelKey } = await discussed()
    const other = { headers: await addApp(site, { id: 'app_other', publicKey: 'pk_other' }) }

    expect((await talk.posts(channelKey, {}, other)).totalCount).toBe(0)
  })

  it.for(['article:42', 'article:', 'article', 'edition:weekly', 'edition:'])(
    'is not what a page calls %s, which stays public',
    async (channelKey, { talk, members }) => {
      await talk.post(await members.signUp(), channelKey)

      expect((await talk.posts(channelKey)).totalCount).toBe(1)
    },
  )
})

describe("an edition's channel", () => {
  it('is read by visitors and written by members, without a pass', async ({ desk, talk, members }) => {
    await desk.draft('12-04-26-10AM', ['News'])
    await desk.publish('12-04-26-10AM')
    const channelKey = 'edition:12-04-26-10AM'
    const post = await talk.post(await members.signUp(), channelKey)
    await talk.thread(await members.signUp(), post.id)

    expect((await talk.posts(channelKey)).posts).toMatchObject([{ _count: { Threads: 1 } }])
    expect(await talk.threads(post.id)).toHaveLength(1)
    const info = await talk.read(talk.visitor, '/channels/info', { channelKey })
    expect(channelInfoReply.parse(info.json()).data.totalCount).toBe(1)
    expect(
      refusalOf(await talk.write(talk.visitor, 'POST', '/posts', { channelKey, content: 'x' })),
    ).toMatchObject({ status: 401, code: 'login-required' })
  })

  it('exists for no draft, unknown or withdrawn edition', async ({ desk, db, talk, members, outcomes }) => {
    const member = await members.signUp()
    await desk.draft('12-04-26-3PM', ['News'])
    await desk.publish('12-04-26-3PM')
    const channelKey = 'edition:12-04-26-3PM'
    const post = await talk.post(member, channelKey)
    const thread = await talk.thread(member, post.id)
    await db.edition.updateMany({
      where: { slot: '3PM' },
      data: { status: 'draft', publishedAt: null },
    })

    expect(await outcomes(member, channelKey, post.id, thread.id)).toEqual(all('404 edition-not-found'))
    await desk.draft('12-04-26-8PM', ['News'])
    for (const key of ['edition:12-04-26-8PM', 'edition:12-05-26-8PM']) {
      expect(refusalOf(await talk.read(member, '/posts', { channelKey: key })).code).toBe('edition-not-found')
    }
  })
})
