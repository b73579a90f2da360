import { describe, expect } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'

const unknownId = `cmt_${'a'.repeat(24)}`

const it = siteTest()
  .extend('talk', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  .extend('ann', { scope: 'file' }, ({ members }) =>
    members.signUp({
      email: 'ann.secret@example.com',
      customFields: { name: 'Ann', phone: '+14155550123' },
    }),
  )
  .extend('ben', { scope: 'file' }, ({ members }) => members.signUp({ customFields: { name: 'Ben' } }))

describe('POST /comments/posts', () => {
  it("returns the post with its author's public fields", async ({ site, talk, ann }) => {
    const reply = await talk.write(ann, 'POST', '/posts', { channelKey: 'new', content: 'Hello', extra: 1 })

    expect(reply.statusCode).toBe(200)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.json()).toEqual({
      data: {
        id: expect.stringMatching(/^cmt_[0-9a-z]{24}$/),
        internalOrder: expect.stringMatching(/^\d+$/),
        createdAt: site.clock.now().toISOString(),
        content: 'Hello',
        member: { id: ann.memberId, customFields: { name: 'Ann' }, profileImage: null },
        vote: 'NONE',
        _count: { Threads: 0, likedBy: 0, dislikedBy: 0 },
      },
    })
  })

  it('creates one channel for concurrent first posts', async ({ site, talk, ann, ben }) => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => talk.post(index % 2 === 0 ? ann : ben, 'rush')),
    )

    expect((await talk.posts('rush')).totalCount).toBe(20)
    expect(await site.context.database.db.commentChannel.count({ where: { key: 'rush' } })).toBe(1)
  })

  it('stores sanitized HTML', async ({ talk, ann }) => {
    const post = await talk.post(ann, 'html', '<p onclick="x()">Hi <b>all</b></p><script>alert(1)</script>')

    expect(post.content).toBe('<p>Hi <b>all</b></p>')
    expect((await talk.posts('html')).posts[0]?.content).toBe('<p>Hi <b>all</b></p>')
  })

  it.for([
    ['missing content', { channelKey: 'a' }, 'required-field-missing'],
    ['null as content', { channelKey: 'a', content: null }, 'required-field-missing'],
    ['empty content', { channelKey: 'a', content: '' }, 'required-field-missing'],
    [
      'content without text',
      { channelKey: 'a', content: '<p> </p><script>1</script>' },
      'required-field-missing',
    ],
    ['content of 5,001 characters', { channelKey: 'a', content: 'x'.repeat(5_001) }, 'invalid-request'],
    ['content that is not text', { channelKey: 'a', content: { $gt: '' } }, 'invalid-request'],
    ['no channel', { content: 'x' }, 'required-field-missing'],
    ['an empty channel', { channelKey: '', content: 'x' }, 'invalid-request'],
    ['a channel of 201 characters', { channelKey: 'x'.repeat(201), content: 'x' }, 'invalid-request'],
    ['a channel with NUL', { channelKey: 'a\u0000b', content: 'x' }, 'invalid-request'],
    ['a channel with half a character', { channelKey: 'a\ud800', content: 'x' }, 'invalid-request'],
  ] as const)('refuses %s', async ([_what, body, code], { talk, ann }) => {
    expect(refusalOf(await talk.write(ann, 'POST', '/posts', body))).toMatchObject({ status: 400, code })
  })

  it('names the maximum length of a comment', async ({ talk, ann }) => {
    const reply = await talk.write(ann, 'POST', '/posts', { channelKey: 'a', content: 'x'.repeat(5_001) })

    expect(refusalOf(reply).message).toBe('Comments can have up to 5,000 characters.')
  })

  it('accepts any text as the key of a channel', async ({ talk, ann }) => {
    const key = "/a page/?x=1&y=é'; DROP TABLE comment_post; -- 👩‍🚀"
    await talk.post(ann, key)

    expect((await talk.posts(key)).totalCount).toBe(1)
  })
})

describe('GET /comments/posts', () => {
  it('shows visitors only the public fields of a member', async ({ talk, ann }) => {
    await talk.post(ann, 'private')

    const reply = await talk.read(talk.visitor, '/posts', { channelKey: 'private' })

    expect(reply.statusCode).toBe(200)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.json().data.posts[0].member).toEqual({
      id: ann.memberId,
      customFields: { name: 'Ann' },
      profileImage: null,
    })
    expect(reply.body).not.toMatch(/ann\.secret|415555|phone|email/)
  })

  it("returns a member's image as an absolute URL", async ({ site, members, talk }) => {
    const { memberId, ...caller } = await members.signUp()
    const profileImage = `${'a'.repeat(26)}.jpg`
    await site.context.database.db.member.update({ where: { id: memberId }, data: { profileImage } })

    const { member } = await talk.post(caller, 'picture')

    expect(member.profileImage).toBe(`${site.context.config.site.url.origin}/profile-images/${profileImage}`)
  })

  it('returns an unknown channel as an empty one', async ({ talk }) => {
    expect(await talk.posts('unused channel')).toEqual({ posts: [], totalCount: 0 })
  })

  it.for([
    'after=x',
    'after=-1',
    'after=1.5',
    'after=1%27--',
    'after=9999999999999999999',
    'order=best',
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=all',
    'channelKey=',
    'channelKey=a%00b',
  ])('refuses the query %s', async (query, { members }) => {
    const key = query.startsWith('channelKey') ? '' : 'channelKey=a&'
    const reply = await members.call('GET', `/comments/posts?${key}${query}`)

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })

  it('refuses a query without a channel', async ({ members }) => {
    expect(refusalOf(await members.call('GET', '/comments/posts')).status).toBe(400)
  })

  it.for(['after=undefined&order=undefined&limit=undefined', 'after=&order=&limit=', 'after=null&1234'])(
    'ignores the placeholders of clients in %s',
    async (query, { members, talk, ann }) => {
      await talk.post(ann, 'clients')

      const reply = await members.call('GET', `/comments/posts?channelKey=clients&${query}`)

      expect(reply.json().data.posts).not.toHaveLength(0)
    },
  )
})

describe('PATCH /comments/posts/{id}/update', () => {
  it('changes only the text', async ({ talk, ann, ben }) => {
    const post = await talk.post(ann, 'update', 'Before')
    await talk.vote(ben, post.id, 'UP')

    const reply = await talk.write(ann, 'PATCH', `/posts/${post.id}/update`, { content: 'After <i>all</i>' })

    const after = { ...post, content: 'After <i>all</i>', _count: { ...post._count, likedBy: 1 } }
    expect(reply.json()).toEqual({ data: after })
    expect((await talk.posts('update')).posts).toEqual([after])
  })
})

describe('threads', () => {
  it('are listed and counted under their post', async ({ site, talk, ann, ben }) => {
    const post = await talk.post(ann, 'threads')

    const thread = await talk.thread(ben, post.id, 'A reply')

    expect(thread).toEqual({
      id: expect.stringMatching(/^cmt_/),
      internalOrder: expect.stringMatching(/^\d+$/),
      createdAt: site.clock.now().toISOString(),
      content: 'A reply',
      member: { id: ben.memberId, customFields: { name: 'Ben' }, profileImage: null },
      vote: 'NONE',
      _count: { Threads: 0, likedBy: 0 },
    })
    expect(await talk.threads(post.id)).toEqual([thread])
    expect((await talk.posts('threads')).posts[0]?._count.Threads).toBe(1)
  })

  it('are changed and deleted by their author', async ({ talk, ann, ben }) => {
    const post = await talk.post(ann, 'own threads')
    const [kept, gone] = [await talk.thread(ben, post.id), await talk.thread(ben, post.id)]

    const changed = await talk.write(ben, 'PATCH', `/threads/${kept.id}/update`, { content: 'Changed' })
    const deleted = await talk.write(ben, 'DELETE', `/threads/${gone.id}`)

    expect(changed.json()).toEqual({ data: { ...kept, content: 'Changed' } })
    expect(deleted.json()).toEqual({ data: { id: gone.id } })
    expect((await talk.threads(post.id)).map(({ id }) => id)).toEqual([kept.id])
    expect((await talk.posts('own threads')).posts[0]?._count.Threads).toBe(1)
  })

  it('are deleted with their post', async ({ talk, ann, ben }) => {
    const post = await talk.post(ann, 'gone')
    const thread = await talk.thread(ben, post.id)

    const reply = await talk.write(ann, 'DELETE', `/posts/${post.id}`)

    expect(reply.json()).toEqual({ data: { id: post.id } })
    expect(await talk.posts('gone')).toEqual({ posts: [], totalCount: 0 })
    expect(refusalOf(await talk.vote(ben, thread.id, 'UP', 'threads')).code).toBe('comment-not-found')
    expect(refusalOf(await talk.read(talk.visitor, '/threads', { postId: post.id })).code).toBe(
      'comment-not-found',
    )
  })

  it.for([
    ['no post', { content: 'x' }, 400, 'required-field-missing'],
    ['empty content', { postId: unknownId, content: '' }, 400, 'required-field-missing'],
    [
      'content of 5,001 characters',
      { postId: unknownId, content: 'x'.repeat(5_001) },
      400,
      'invalid-request',
    ],
    ['an unknown post', { postId: unknownId, content: 'x' }, 404, 'comment-not-found'],
    ['an invalid post id', { postId: 'a\u0000b', content: 'x' }, 404, 'comment-not-found'],
  ] as const)('are refused with %s', async ([_what, body, status, code], { talk, ann }) => {
    expect(refusalOf(await talk.write(ann, 'POST', '/threads', body))).toMatchObject({ status, code })
  })
})
