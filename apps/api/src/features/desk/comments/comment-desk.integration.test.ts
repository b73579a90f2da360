import { deskComment, deskCommentAuthor } from '@tidings/contracts/desk/comments'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'

const unknownComment = `cmt_${'a'.repeat(24)}`
const unknownMember = `mem_${'a'.repeat(24)}`

const it = siteTest()
  .extend('talk', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp({ email: 'ann.secret@example.com' }))
  .extend('ben', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('list', { scope: 'file' }, ({ desk }) => async (query: string) => {
    const reply = await desk.call('GET', `/comments?${query}`)
    return pageOf(deskComment.strict()).parse(reply.json())
  })
  .extend('contents', { scope: 'file' }, ({ list }) => async (query: string): Promise<string[]> => {
    return (await list(query)).data.map(({ content }) => content)
  })

describe('GET /desk/v1/comments', () => {
  it('lists posts and threads with their authors, without email addresses', async ({
    site,
    desk,
    talk,
    ann,
    ben,
  }) => {
    const post = await talk.post(ann, 'desk list', 'Post')
    const thread = await talk.thread(ben, post.id, 'Thread')
    await desk.call('PATCH', `/comments/${thread.id}`, { body: { hidden: true } })

    const reply = await desk.call('GET', '/comments?channelKey=desk%20list')

    const common = {
      appId: site.context.config.site.appId,
      channelKey: 'desk list',
      authorHidden: false,
      author: { name: null, since: site.clock.now().toISOString() },
      article: null,
      edition: null,
      reports: [],
    }
    const at = { createdAt: site.clock.now().toISOString(), editedAt: null }
    const { data, next } = pageOf(deskComment).parse(reply.json())
    expect(next).toBeNull()
    expect(data).toHaveLength(2)
    expect(data).toContainEqual({
      ...common,
      ...at,
      id: post.id,
      kind: 'post',
      postId: null,
      memberId: ann.memberId,
      content: 'Post',
      hidden: false,
    })
    expect(data).toContainEqual({
      ...common,
      ...at,
      id: thread.id,
      kind: 'thread',
      postId: post.id,
      memberId: ben.memberId,
      content: 'Thread',
      hidden: true,
    })
    expect(reply.body).not.toContain('@example.com')
  })

  it('filters by author, and by comments hidden themselves or with their author', async ({
    members,
    desk,
    talk,
    ann,
    contents,
  }) => {
    const loud = await members.signUp()
    const channel = 'channelKey=desk-filters'
    const post = await talk.post(ann, 'desk-filters', 'Ann 1')
    const hidden = await talk.post(ann, 'desk-filters', 'Ann 2')
    await talk.thread(loud, post.id, 'Loud')
    await desk.call('PATCH', `/comments/${hidden.id}`, { body: { hidden: true } })
    await desk.call('PATCH', `/comment-authors/${loud.memberId}`, { body: { hidden: true } })

    expect(await contents(`memberId=${loud.memberId}`)).toEqual(['Loud'])
    expect(await contents(`${channel}&memberId=${ann.memberId}`)).toEqual(['Ann 2', 'Ann 1'])
    expect((await contents(`${channel}&hidden=true`)).toSorted()).toEqual(['Ann 2', 'Loud'])
    expect(await contents(`${channel}&hidden=false`)).toEqual(['Ann 1'])
    expect(await contents('channelKey=nothing')).toEqual([])
  })

  it('pages through all comments without gaps or duplicates, newest first', async ({
    site,
    members,
    talk,
    list,
  }) => {
    const own = await members.signUp()
    const written: string[] = []
    for (let second = 0; second < 9; second += 1) {
      site.clock.pass(1_000)
      const post = await talk.post(own, 'desk pages')
      written.unshift(post.id)
      if (second % 2 === 1) continue
      site.clock.pass(1_000)
      written.unshift((await talk.thread(own, post.id)).id)
    }

    const seen: string[] = []
    let after: string | null = ''
    while (after !== null) {
      const page = await list(`memberId=${own.memberId}&limit=4${after === '' ? '' : `&after=${after}`}`)
      seen.push(...page.data.map(({ id }) => id))
      after = page.next
      await talk.post(own, 'desk pages', 'Meanwhile')
    }

    expect(seen).toEqual(written)
  })

  it.for([
    'limit=0',
    'limit=201',
    'after=x',
    'after=1',
    'hidden=yes',
    'memberId=x',
    'memberId=mem_%00',
    'channelKey=',
    'q=',
    'q=a%00',
    'from=yesterday',
    'to=2041-02-30',
    'show=old',
    'show=reported&after=1-2',
    'after=0193a000-0000-7000-8000-000000000000',
  ])('rejects the query %s', async (query, { desk }) => {
    const reply = await desk.call('GET', `/comments?${query}`)

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })
})

describe('PATCH /desk/v1/comments/{id}', () => {
  it.for(['post', 'thread'])(
    'hides and shows a %s, with one audit entry each',
    async (kind, { desk, talk, ann }) => {
      const post = await talk.post(ann, `desk ${kind}`, 'Text')
      const { id } = kind === 'post' ? post : await talk.thread(ann, post.id, 'Text')

      const states: boolean[] = []
      for (const hidden of [true, true, false, false]) {
        const reply = await desk.call('PATCH', `/comments/${id}`, { body: { hidden } })
        const { data } = dataOf(deskComment).parse(reply.json())
        expect(data).toMatchObject({ id, kind, memberId: ann.memberId, content: 'Text' })
        states.push(data.hidden)
      }

      expect(states).toEqual([true, true, false, false])
      expect(await desk.auditOf(id)).toMatchObject([
        { action: 'comment.hide', details: { kind, memberId: ann.memberId, content: 'Text' } },
        { action: 'comment.show' },
      ])
    },
  )

  it('keeps the thread count right under concurrent hiding and showing', async ({ desk, talk, ann, ben }) => {
    const post = await talk.post(ann, 'desk storm')
    const threads = await Promise.all(Array.from({ length: 6 }, () => talk.thread(ben, post.id)))

    const replies = await Promise.all(
      threads.flatMap(({ id }) =>
        [true, false, true].map((hidden) => desk.call('PATCH', `/comments/${id}`, { body: { hidden } })),
      ),
    )
    for (const { id } of threads.slice(0, 2))
      await desk.call('PATCH', `/comments/${id}`, { body: { hidden: true } })
    for (const { id } of threads.slice(2))
      await desk.call('PATCH', `/comments/${id}`, { body: { hidden: false } })

    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect((await talk.posts('desk storm')).posts[0]?._count.Threads).toBe(4)
  })

  it('returns 404 for an unknown comment', async ({ desk }) => {
    const reply = await desk.call('PATCH', `/comments/${unknownComment}`, { body: { hidden: true } })

    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'comment-not-found' })
  })
})

describe('PATCH /desk/v1/comment-authors/{memberId}', () => {
  it('hides and shows a member, with one audit entry each', async ({ site, members, desk }) => {
    const { memberId } = await members.signUp()

    const states: unknown[] = []
    for (const hidden of [true, true, false, false]) {
      const reply = await desk.call('PATCH', `/comment-authors/${memberId}`, { body: { hidden } })
      states.push(dataOf(deskCommentAuthor.strict()).parse(reply.json()).data)
    }

    const hiddenAt = site.clock.now().toISOString()
    expect(states).toEqual([
      { memberId, hidden: true, hiddenAt },
      { memberId, hidden: true, hiddenAt },
      { memberId, hidden: false, hiddenAt: null },
      { memberId, hidden: false, hiddenAt: null },
    ])
    expect((await desk.auditOf(memberId)).map(({ action }) => action)).toEqual([
      'comment-author.hide',
      'comment-author.show',
    ])
  })

  it('returns 404 for an unknown member', async ({ desk }) => {
    const reply = await desk.call('PATCH', `/comment-authors/${unknownMember}`, { body: { hidden: true } })

    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'member-not-found' })
  })
})

describe.each(['/comments/', '/comment-authors/'])('PATCH /desk/v1%s', (prefix) => {
  const id = prefix === '/comments/' ? unknownComment : unknownMember

  it.for([{}, { hidden: 'true' }, { hidden: null }, { hidden: true, reason: 'x' }])(
    'rejects %j',
    async (body, { desk }) => {
      const reply = await desk.call('PATCH', `${prefix}${id}`, { body })

      expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    },
  )

  it.for(['x', '%00', '1%20OR%201=1'])('rejects the id %s', async (wrong, { desk }) => {
    const reply = await desk.call('PATCH', `${prefix}${wrong}`, { body: { hidden: true } })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })

  it('requires the scope publish', async ({ desk, ann }) => {
    const { as } = await desk.keyWith('read', 'write')

    const refused = await desk.call('PATCH', `${prefix}${id}`, { body: { hidden: true }, as })
    const rejected = await desk.call('PATCH', `${prefix}${id}`, {
      body: { hidden: true },
      as: ann.headers.authorization ?? '',
    })

    expect(refusalOf(refused)).toMatchObject({ status: 403, code: 'scope-missing' })
    expect(refusalOf(rejected)).toMatchObject({ status: 401, code: 'invalid-api-key' })
  })
})

describe('GET /desk/v1/comments and the scope read', () => {
  it('requires the scope', async ({ desk }) => {
    const { as } = await desk.keyWith('write', 'publish')

    expect(refusalOf(await desk.call('GET', '/comments', { as }))).toMatchObject({
      status: 403,
      code: 'scope-missing',
    })
  })
})
