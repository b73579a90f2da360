import { commentDecision, type DeskComment, deskComment } from '@tidings/contracts/desk/comments'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'

const countsReply = dataOf(z.object({ reported: z.int(), new: z.int(), hidden: z.int() }))
const unknownComment = `cmt_${'a'.repeat(24)}`

const it = siteTest()
  .extend('talk', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp({ customFields: { name: 'Ann Quill' } }))
  .extend('ben', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('cleo', { scope: 'file' }, ({ members }) => members.signUp())
  .extend(
    'report',
    { scope: 'file' },
    ({ talk }) =>
      (by: TestMember, { id, kind = 'posts' }: { id: string; kind?: string }, reason = 'advertising') =>
        talk.write(by, 'POST', `/${kind}/${id}/report`, { reason }),
  )
  .extend('list', { scope: 'file' }, ({ desk }) => async (query: string): Promise<DeskComment[]> => {
    const reply = await desk.call('GET', `/comments?${query}`)
    return pageOf(deskComment.strict()).parse(reply.json()).data
  })
  .extend('decide', { scope: 'file' }, ({ desk }) => async (path: 'hide' | 'keep', body: object) => {
    const reply = await desk.call('POST', `/comments/${path}`, { body })
    return dataOf(commentDecision).parse(reply.json()).data
  })
  .extend('count', { scope: 'file' }, ({ desk }) => async () => {
    return countsReply.parse((await desk.call('GET', '/comments/counts')).json()).data
  })

describe('a report of a comment', () => {
  it('reaches the desk with its reasons, the oldest report first, and without who reported', async ({
    talk,
    ann,
    ben,
    cleo,
    report,
    list,
    desk,
  }) => {
    const post = await talk.post(ann, 'reports-1', 'First')
    const thread = await talk.thread(ann, post.id, 'Second')
    const before = (await list('show=reported')).map(({ id }) => id)

    expect((await report(ben, { id: thread.id, kind: 'threads' }, ' rude ')).json()).toEqual({
      data: { success: true },
    })
    await report(ben, { id: post.id })
    await report(cleo, { id: thread.id, kind: 'threads' }, 'rude again')

    const reported = (await list('show=reported')).filter(({ id }) => !before.includes(id))
    expect(reported.map(({ id }) => id)).toEqual([thread.id, post.id])
    expect(reported[0]?.reports.map(({ reason }) => reason)).toEqual(['rude', 'rude again'])
    const { body } = await desk.call('GET', '/comments?show=reported')
    expect(body).not.toContain(ben.memberId)
    expect(body).not.toContain(cleo.memberId)
  })

  it('counts once per member, also when it is sent many times at once', async ({
    talk,
    ann,
    ben,
    report,
    list,
  }) => {
    const post = await talk.post(ann, 'reports-2', 'Once')

    const replies = await Promise.all(
      ['one', 'two', 'three'].map((reason) => report(ben, { id: post.id }, reason)),
    )

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect((await list('channelKey=reports-2'))[0]?.reports).toHaveLength(1)
  })

  it('is limited for each member', async ({ site, members, talk, ann, report }) => {
    site.limitCalls('commentReports', 2)
    const post = await talk.post(ann, 'reports-3')
    const eager = await members.signUp()

    await report(eager, { id: post.id })
    await report(eager, { id: post.id })

    expect(refusalOf(await report(eager, { id: post.id }))).toMatchObject({ code: 'too-many-requests' })
  })

  it.for([[''], ['  '], ['x'.repeat(201)], ['two\nlines'], [5], [null]] as const)(
    'rejects the reason %j',
    async ([reason], { talk, ann, ben }) => {
      const post = await talk.post(ann, 'reports-4')

      const reply = await talk.write(ben, 'POST', `/posts/${post.id}/report`, { reason })

      expect(reply.statusCode).toBe(400)
    },
  )

  it('needs a member, and a comment that the member sees', async ({ talk, ann, ben, report, decide }) => {
    const hidden = await talk.post(ann, 'reports-5')
    const post = await talk.post(ann, 'reports-5')
    await decide('hide', { ids: [hidden.id] })

    expect(
      (await talk.write(talk.visitor, 'POST', `/posts/${post.id}/report`, { reason: 'x' })).statusCode,
    ).toBe(401)
    for (const { id, kind } of [
      { id: hidden.id, kind: 'posts' },
      { id: post.id, kind: 'threads' },
      { id: unknownComment, kind: 'posts' },
      { id: 'x', kind: 'posts' },
    ]) {
      expect((await report(ben, { id, kind })).statusCode, id).toBe(404)
    }
  })

  it('below an article needs access to the article', async ({ site, desk, ann, ben, report }) => {
    const { id: articleId } = await desk.addArticle({ status: 'published' })
    const id = 'cmt_belowarticle'
    await site.context.database.db.commentChannel.create({
      data: {
        appId: site.context.config.site.appId,
        key: `article:${articleId}`,
        posts: { create: { id, memberId: ann.memberId, content: 'x', createdAt: site.clock.now() } },
      },
    })

    const reply = await report(ben, { id })

    expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'gate-required' })
  })
})

describe('hiding and keeping comments', () => {
  it('hides several at once, says which it changed, and undoes exactly these', async ({
    talk,
    ann,
    ben,
    desk,
    decide,
    list,
  }) => {
    const post = await talk.post(ann, 'bulk', 'A')
    const threads = [await talk.thread(ben, post.id, 'B'), await talk.thread(ben, post.id, 'C')] as const
    await decide('hide', { ids: [threads[0].id] })
    const ids = [post.id, threads[0].id, threads[1].id, unknownComment]

    const { comments, changed } = await decide('hide', { ids })

    expect(comments.map(({ id, hidden }) => [id, hidden]).toSorted()).toEqual(
      [post.id, threads[0].id, threads[1].id].map((id) => [id, true]).toSorted(),
    )
    expect(changed.toSorted()).toEqual([post.id, threads[1].id].toSorted())
    expect((await talk.posts('bulk')).posts).toEqual([])

    const undone = await decide('hide', { ids: changed, hidden: false })

    expect(undone.changed.toSorted()).toEqual(changed.toSorted())
    expect((await list('channelKey=bulk&show=hidden')).map(({ content }) => content)).toEqual(['B'])
    expect((await talk.posts('bulk')).posts[0]?._count.Threads).toBe(1)
    expect((await desk.auditOf(post.id)).map(({ action }) => action)).toEqual([
      'comment.hide',
      'comment.show',
    ])
  })

  it('hides in the two orders at the same time, and counts right', async ({ talk, ann, ben, decide }) => {
    const posts = [await talk.post(ann, 'bulk-storm'), await talk.post(ann, 'bulk-storm')]
    const threads = await Promise.all(posts.flatMap(({ id }) => [0, 1, 2].map(() => talk.thread(ben, id))))
    const ids = [...threads, ...posts].map(({ id }) => id)

    await Promise.all(
      [true, false, true, false].flatMap((hidden) => [
        decide('hide', { ids, hidden }),
        decide('hide', { ids: ids.toReversed(), hidden }),
      ]),
    )
    await decide('hide', { ids, hidden: false })

    const counts = (await talk.posts('bulk-storm')).posts.map((post) => post._count.Threads)
    expect(counts).toEqual([3, 3])
  })

  it('takes a hidden comment off the reported ones, and undoing brings it back', async ({
    talk,
    ann,
    ben,
    report,
    decide,
    count,
  }) => {
    const post = await talk.post(ann, 'undo')
    const { reported } = await count()
    await report(ben, { id: post.id })

    expect((await count()).reported).toBe(reported + 1)
    await decide('hide', { ids: [post.id] })
    expect((await count()).reported).toBe(reported)
    await decide('hide', { ids: [post.id], hidden: false })
    expect((await count()).reported).toBe(reported + 1)
  })

  it('keeps a comment for good: its reports end, and only another reader reports it again', async ({
    talk,
    ann,
    ben,
    cleo,
    report,
    decide,
    desk,
    list,
  }) => {
    const post = await talk.post(ann, 'keep')
    await report(ben, { id: post.id }, 'first')

    expect(await decide('keep', { ids: [post.id, unknownComment] })).toMatchObject({
      comments: [{ id: post.id, hidden: false, reports: [] }],
      changed: [post.id],
    })
    expect((await decide('keep', { ids: [post.id] })).changed).toEqual([])
    await report(ben, { id: post.id }, 'again')
    expect((await list('channelKey=keep'))[0]?.reports).toEqual([])
    await report(cleo, { id: post.id }, 'second')
    expect((await list('channelKey=keep'))[0]?.reports.map(({ reason }) => reason)).toEqual(['second'])
    expect((await desk.auditOf(post.id)).map(({ action }) => action)).toEqual(['comment.keep'])
  })

  it('forgets the reports of a deleted comment and of a deleted member', async ({
    members,
    talk,
    ann,
    report,
    count,
  }) => {
    const leaving = await members.signUp()
    const posts = [await talk.post(ann, 'gone'), await talk.post(ann, 'gone')] as const
    const { reported } = await count()
    for (const { id } of posts) await report(leaving, { id })
    expect((await count()).reported).toBe(reported + 2)

    await talk.write(ann, 'DELETE', `/posts/${posts[0].id}`)
    expect((await count()).reported).toBe(reported + 1)
    await members.call('DELETE', '/member', { headers: leaving.headers })
    expect((await count()).reported).toBe(reported)
  })

  it.for([
    {},
    { ids: [] },
    { ids: ['x'] },
    { ids: [unknownComment, unknownComment] },
    { ids: Array.from({ length: 101 }, (_, each) => `cmt_${each}`) },
    { ids: [unknownComment], why: 'x' },
  ])('rejects %j', async (body, { desk }) => {
    for (const path of ['hide', 'keep']) {
      expect(refusalOf(await desk.call('POST', `/comments/${path}`, { body }))).toMatchObject({ status: 400 })
    }
  })

  it('needs the scope publish', async ({ desk }) => {
    const { as } = await desk.keyWith('read', 'write')
    for (const path of ['hide', 'keep']) {
      const reply = await desk.call('POST', `/comments/${path}`, { body: { ids: [unknownComment] }, as })
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'scope-missing' })
    }
  })
})
