import { channelInfoReply } from '@tidings/contracts/comments'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { createTestDiscussion, type TestDiscussion } from '#test/discussion.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { createTestMembers, type TestMember, type TestMembers } from '#test/membership.ts'
import { startTestApp, type TestApp, useTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

const unknownId = `cmt_${'a'.repeat(24)}`

let site: TestApp
let members: TestMembers
let talk: TestDiscussion
let ann: TestMember
let ben: TestMember

beforeAll(async () => {
  site = await startTestApp({ databaseUrl: await createTestDatabase() })
  members = createTestMembers(site)
  talk = createTestDiscussion(members)
  ann = await members.signUp({
    email: 'ann.secret@example.com',
    customFields: { name: 'Ann', phone: '+14155550123' },
  })
  ben = await members.signUp({ customFields: { name: 'Ben' } })
})
afterAll(() => site.close())

describe('POST /comments/posts', () => {
  it("returns the post with its author's public fields", async () => {
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
        _count: { Threads: 0, likedBy: 0, dislikedBy: 0 },
      },
    })
  })

  it('creates one channel for concurrent first posts', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => talk.post(index % 2 === 0 ? ann : ben, 'rush')),
    )

    expect((await talk.posts('rush')).totalCount).toBe(20)
    expect(await site.context.database.db.commentChannel.count({ where: { key: 'rush' } })).toBe(1)
  })

  it('stores sanitized HTML', async () => {
    const post = await talk.post(ann, 'html', '<p onclick="x()">Hi <b>all</b></p><script>alert(1)</script>')

    expect(post.content).toBe('<p>Hi <b>all</b></p>')
    expect((await talk.posts('html')).posts[0]?.content).toBe('<p>Hi <b>all</b></p>')
  })

  it.each([
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
  ])('refuses %s', async (_what, body, code) => {
    expect(refusalOf(await talk.write(ann, 'POST', '/posts', body))).toMatchObject({ status: 400, code })
  })

  it('names the maximum length of a comment', async () => {
    const reply = await talk.write(ann, 'POST', '/posts', { channelKey: 'a', content: 'x'.repeat(5_001) })

    expect(refusalOf(reply).message).toBe('Comments can have up to 5,000 characters.')
  })

  it('accepts any text as the key of a channel', async () => {
    const key = "/a page/?x=1&y=é'; DROP TABLE comment_post; -- 👩‍🚀"
    await talk.post(ann, key)

    expect((await talk.posts(key)).totalCount).toBe(1)
  })
})

describe('GET /comments/posts', () => {
  it('shows visitors only the public fields of a member', async () => {
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

  it("returns a member's image as an absolute URL", async () => {
    const { memberId, ...caller } = await members.signUp()
    const profileImage = `${'a'.repeat(26)}.jpg`
    await site.context.database.db.member.update({ where: { id: memberId }, data: { profileImage } })

    const { member } = await talk.post(caller, 'picture')

    expect(member.profileImage).toBe(`${site.context.config.site.url.origin}/profile-images/${profileImage}`)
  })

  it('returns an unknown channel as an empty one', async () => {
    expect(await talk.posts('unused channel')).toEqual({ posts: [], totalCount: 0 })
  })

  it.each([
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
  ])('refuses the query %s', async (query) => {
    const key = query.startsWith('channelKey') ? '' : 'channelKey=a&'
    const reply = await members.call('GET', `/comments/posts?${key}${query}`)

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })

  it('refuses a query without a channel', async () => {
    expect(refusalOf(await members.call('GET', '/comments/posts')).status).toBe(400)
  })

  it.each(['after=undefined&order=undefined&limit=undefined', 'after=&order=&limit=', 'after=null&1234'])(
    'ignores the placeholders of clients in %s',
    async (query) => {
      await talk.post(ann, 'clients')

      const reply = await members.call('GET', `/comments/posts?channelKey=clients&${query}`)

      expect(reply.json().data.posts).not.toHaveLength(0)
    },
  )
})

describe('PATCH /comments/posts/{id}/update', () => {
  it('changes only the text', async () => {
    const post = await talk.post(ann, 'update', 'Before')
    await talk.vote(ben, post.id, 'UP')

    const reply = await talk.write(ann, 'PATCH', `/posts/${post.id}/update`, { content: 'After <i>all</i>' })

    const after = { ...post, content: 'After <i>all</i>', _count: { ...post._count, likedBy: 1 } }
    expect(reply.json()).toEqual({ data: after })
    expect((await talk.posts('update')).posts).toEqual([after])
  })
})

describe('threads', () => {
  it('are listed and counted under their post', async () => {
    const post = await talk.post(ann, 'threads')

    const thread = await talk.thread(ben, post.id, 'A reply')

    expect(thread).toEqual({
      id: expect.stringMatching(/^cmt_/),
      internalOrder: expect.stringMatching(/^\d+$/),
      createdAt: site.clock.now().toISOString(),
      content: 'A reply',
      member: { id: ben.memberId, customFields: { name: 'Ben' }, profileImage: null },
      _count: { Threads: 0, likedBy: 0 },
    })
    expect(await talk.threads(post.id)).toEqual([thread])
    expect((await talk.posts('threads')).posts[0]?._count.Threads).toBe(1)
  })

  it('are changed and deleted by their author', async () => {
    const post = await talk.post(ann, 'own threads')
    const [kept, gone] = [await talk.thread(ben, post.id), await talk.thread(ben, post.id)]

    const changed = await talk.write(ben, 'PATCH', `/threads/${kept.id}/update`, { content: 'Changed' })
    const deleted = await talk.write(ben, 'DELETE', `/threads/${gone.id}`)

    expect(changed.json()).toEqual({ data: { ...kept, content: 'Changed' } })
    expect(deleted.json()).toEqual({ data: { id: gone.id } })
    expect((await talk.threads(post.id)).map(({ id }) => id)).toEqual([kept.id])
    expect((await talk.posts('own threads')).posts[0]?._count.Threads).toBe(1)
  })

  it('are deleted with their post', async () => {
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

  it.each([
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
  ])('are refused with %s', async (_what, body, status, code) => {
    expect(refusalOf(await talk.write(ann, 'POST', '/threads', body))).toMatchObject({ status, code })
  })
})

/** Returns every call that changes or deletes a post or thread. */
function callsOn(postId: string, threadId: string) {
  return [
    { method: 'PATCH', path: `/posts/${postId}/update`, body: { content: 'Mine now' } },
    { method: 'DELETE', path: `/posts/${postId}` },
    { method: 'PATCH', path: `/threads/${threadId}/update`, body: { content: 'Mine now' } },
    { method: 'DELETE', path: `/threads/${threadId}` },
  ] as const
}

describe("another member's comment", () => {
  it('is neither changed nor deleted', async () => {
    const post = await talk.post(ann, 'foreign')
    const thread = await talk.thread(ann, post.id)

    for (const { method, path, ...rest } of callsOn(post.id, thread.id)) {
      const reply = await talk.write(ben, method, path, 'body' in rest ? rest.body : undefined)
      expect(refusalOf(reply), `${method} ${path}`).toMatchObject({ status: 403, code: 'access-denied' })
    }

    expect((await talk.posts('foreign')).posts[0]?.content).toBe('A post')
    expect(await talk.threads(post.id)).toMatchObject([{ content: 'A thread' }])
  })
})

describe('an unknown comment', () => {
  it.each([unknownId, 'cmt_', 'x', '%00', '1%20OR%201=1', 'a'.repeat(150)])(
    '%s is not found by any call',
    async (id) => {
      const votes = ['posts', 'threads'].map(
        (kind) => ({ method: 'POST', path: `/${kind}/${id}/vote`, body: { vote: 'UP' } }) as const,
      )

      for (const { method, path, ...rest } of [...callsOn(id, id), ...votes]) {
        const reply = await talk.write(ann, method, path, 'body' in rest ? rest.body : undefined)
        expect(refusalOf(reply), `${method} ${path}`).toMatchObject({
          status: 404,
          code: 'comment-not-found',
        })
      }
      expect(refusalOf(await members.call('GET', `/comments/threads?postId=${id}`)).code).toBe(
        'comment-not-found',
      )
    },
  )
})

describe('a visitor', () => {
  it('can read but not write', async () => {
    const post = await talk.post(ann, 'visited')
    const thread = await talk.thread(ann, post.id)

    for (const { method, path, body } of [
      ...callsOn(post.id, thread.id).map((call) => ({ body: undefined, ...call })),
      { method: 'POST', path: '/posts', body: { channelKey: 'visited', content: 'x' } },
      { method: 'POST', path: '/threads', body: { postId: post.id, content: 'x' } },
      { method: 'POST', path: `/posts/${post.id}/vote`, body: { vote: 'UP' } },
      { method: 'POST', path: `/threads/${thread.id}/vote`, body: { vote: 'UP' } },
      { method: 'POST', path: '/posts/typing', body: { channelKey: 'visited' } },
      { method: 'POST', path: '/channels/manage-subscription', body: { channelKey: 'a', action: 'NONE' } },
    ] as const) {
      const reply = await talk.write(talk.visitor, method, path, body)
      expect(refusalOf(reply), `${method} ${path}`).toMatchObject({ status: 401, code: 'login-required' })
    }
    expect((await talk.posts('visited')).posts).toMatchObject([{ _count: { Threads: 1, likedBy: 0 } }])
  })
})

describe('a call without a valid app or token', () => {
  it.each([
    ['without a key', {}],
    ['with a wrong key', { 'x-api-key': 'pk_wrong' }],
  ])('%s is rejected', async (_what, headers) => {
    const reply = await members.call('GET', '/comments/posts?channelKey=a', { headers })

    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'app-not-found' })
  })

  it('is rejected when its token is invalid', async () => {
    const headers = { ...members.visitor, authorization: 'Bearer x.y.z' }

    const reply = await members.call('GET', '/comments/posts?channelKey=a', { headers })

    expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'client/invalid-token' })
  })

  it("sees no comments of another app's channel with the same key", async () => {
    const other = { headers: await addApp(site, { id: 'app_other', publicKey: 'pk_other' }) }
    const post = await talk.post(ann, 'shared')

    expect((await talk.posts('shared', {}, other)).totalCount).toBe(0)
    expect(refusalOf(await talk.read(other, '/threads', { postId: post.id })).code).toBe('comment-not-found')
  })
})

describe('channels', () => {
  async function info(channelKey: string, viewer = talk.visitor) {
    const reply = await talk.read(viewer, '/channels/info', { channelKey })
    return channelInfoReply.strict().parse(reply.json()).data
  }
  async function subscribe(channelKey: string, action: unknown) {
    return await talk.write(ann, 'POST', '/channels/manage-subscription', { channelKey, action })
  }

  it('are empty at first and then count their posts', async () => {
    const before = await info('counted')
    await talk.post(ann, 'counted')
    await talk.post(ben, 'counted')

    expect(before).toEqual({ channelKey: 'counted', totalCount: 0, subscription: 'NONE' })
    expect(await info('counted')).toEqual({ channelKey: 'counted', totalCount: 2, subscription: 'NONE' })
  })

  it('can be subscribed to and left repeatedly', async () => {
    const seen: string[] = []
    for (const action of ['THREADS_ONLY', 'THREADS_ONLY', 'NONE', 'NONE'] as const) {
      const reply = await subscribe('subscribed', action)
      expect(reply.json()).toEqual({ data: { success: true } })
      seen.push((await info('subscribed', ann)).subscription)
    }

    expect(seen).toEqual(['THREADS_ONLY', 'THREADS_ONLY', 'NONE', 'NONE'])
  })

  it("keep one member's subscription from another's", async () => {
    await subscribe('mine', 'THREADS_ONLY')

    expect((await info('mine', ben)).subscription).toBe('NONE')
    expect((await info('mine')).subscription).toBe('NONE')
  })

  it.each(['ALL', '', null, 1])('refuse the action %j', async (action) => {
    expect(refusalOf(await subscribe('a', action)).status).toBe(400)
  })
})

describe('the rate limit of comments', () => {
  it('rejects a member above the limit and no other', async () => {
    const own = await useTestApp({ env: { RATE_COMMENTS_PER_MINUTE: '3' } })
    const ownMembers = createTestMembers(own)
    const ownTalk = createTestDiscussion(ownMembers)
    const [eager, calm] = [await ownMembers.signUp(), await ownMembers.signUp()]
    const post = await ownTalk.post(eager, 'a')
    await ownTalk.thread(eager, post.id)
    await ownTalk.vote(eager, post.id, 'UP')

    const refused = await ownTalk.write(eager, 'POST', '/posts', { channelKey: 'a', content: 'x' })

    expect(refusalOf(refused)).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
    expect((await ownTalk.post(calm, 'a')).member.id).toBe(calm.memberId)
    expect((await ownTalk.write(eager, 'DELETE', `/posts/${post.id}`)).statusCode).toBe(200)
  })
})
