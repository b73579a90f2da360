import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'

const notFound = { status: 404, code: 'comment-not-found' }

const it = siteTest()
  .extend('talk', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('ben', { scope: 'file' }, ({ members }) => members.signUp())
  .extend(
    'moderate',
    { scope: 'file' },
    ({ desk }) =>
      async (path: string, hidden: boolean): Promise<LightMyRequestResponse> => {
        const reply = await desk.call('PATCH', path, { body: { hidden } })
        expect(reply.statusCode).toBe(200)
        return reply
      },
  )

  /** Returns a channel as a viewer sees it: contents with thread counts, and the total. */
  .extend(
    'view',
    { scope: 'file' },
    ({ talk }) =>
      async (channel: string, viewer = talk.visitor): Promise<string> => {
        const { posts, totalCount } = await talk.posts(channel, { order: 'oldest' }, viewer)
        return `${posts.map(({ content, _count }) => `${content} ${_count.Threads}`).join(', ')} / ${totalCount}`
      },
  )

describe('a hidden post', () => {
  it('is hidden from all viewers, its author included, until it is shown again', async ({
    talk,
    ann,
    ben,
    moderate,
    view,
  }) => {
    const post = await talk.post(ann, 'hidden post', 'Hidden')
    const thread = await talk.thread(ben, post.id)
    await talk.post(ben, 'hidden post', 'Seen')
    await talk.vote(ben, post.id, 'UP')

    await moderate(`/comments/${post.id}`, true)

    for (const viewer of [talk.visitor, ann, ben])
      expect(await view('hidden post', viewer)).toBe('Seen 0 / 1')
    for (const reply of [
      await talk.write(ann, 'PATCH', `/posts/${post.id}/update`, { content: 'x' }),
      await talk.write(ann, 'DELETE', `/posts/${post.id}`),
      await talk.write(ben, 'DELETE', `/posts/${post.id}`),
      await talk.vote(ben, post.id, 'DOWN'),
      await talk.write(ben, 'POST', '/threads', { postId: post.id, content: 'x' }),
      await talk.read(ann, '/threads', { postId: post.id }),
      await talk.vote(ann, thread.id, 'UP', 'threads'),
      await talk.write(ben, 'PATCH', `/threads/${thread.id}/update`, { content: 'x' }),
    ]) {
      expect(refusalOf(reply)).toMatchObject(notFound)
    }

    await moderate(`/comments/${post.id}`, false)

    expect(await view('hidden post')).toBe('Hidden 1, Seen 0 / 2')
    expect((await talk.posts('hidden post', { order: 'oldest' })).posts[0]?._count.likedBy).toBe(1)
  })
})

describe('a hidden thread', () => {
  it('is neither shown nor counted', async ({ talk, ann, ben, moderate, view }) => {
    const post = await talk.post(ann, 'hidden thread', 'Post')
    const [hidden, seen] = [await talk.thread(ben, post.id), await talk.thread(ben, post.id)]

    await moderate(`/comments/${hidden.id}`, true)

    for (const viewer of [talk.visitor, ann, ben]) {
      expect((await talk.threads(post.id, {}, viewer)).map(({ id }) => id)).toEqual([seen.id])
      expect(await view('hidden thread', viewer)).toBe('Post 1 / 1')
    }
    expect(refusalOf(await talk.vote(ann, hidden.id, 'UP', 'threads'))).toMatchObject(notFound)
    expect(refusalOf(await talk.write(ben, 'DELETE', `/threads/${hidden.id}`))).toMatchObject(notFound)

    await moderate(`/comments/${hidden.id}`, false)

    expect(await view('hidden thread')).toBe('Post 2 / 1')
  })

  it('stays uncounted when it is hidden twice, and when it is deleted with its post', async ({
    talk,
    ann,
    ben,
    moderate,
    view,
  }) => {
    const post = await talk.post(ann, 'hidden twice', 'Post')
    const thread = await talk.thread(ben, post.id)
    await moderate(`/comments/${thread.id}`, true)
    await moderate(`/comments/${thread.id}`, true)

    expect(await view('hidden twice')).toBe('Post 0 / 1')
    expect((await talk.write(ann, 'DELETE', `/posts/${post.id}`)).statusCode).toBe(200)
  })
})

describe('a member whose comments are hidden', () => {
  it('sees all their comments, which are hidden from other viewers, old and new', async ({
    members,
    talk,
    ann,
    ben,
    moderate,
    view,
  }) => {
    const loud = await members.signUp()
    const channel = 'hidden author'
    const post = await talk.post(ann, channel, 'From Ann')
    const old = await talk.post(loud, channel, 'Old')
    await talk.thread(ben, old.id)
    await talk.thread(loud, post.id, 'Old thread')
    await talk.thread(ben, post.id, 'From Ben')

    await moderate(`/comment-authors/${loud.memberId}`, true)
    await talk.post(loud, channel, 'New')
    const thread = await talk.thread(loud, post.id, 'New thread')

    expect(await view(channel, loud)).toBe('From Ann 3, Old 1, New 0 / 3')
    const ownThreads = await talk.threads(post.id, { order: 'oldest' }, loud)
    expect(ownThreads.map(({ content }) => content)).toEqual(['Old thread', 'From Ben', 'New thread'])
    for (const viewer of [talk.visitor, ann, ben]) {
      expect(await view(channel, viewer)).toBe('From Ann 1 / 1')
      expect((await talk.threads(post.id, {}, viewer)).map(({ content }) => content)).toEqual(['From Ben'])
      expect(refusalOf(await talk.read(viewer, '/threads', { postId: old.id }))).toMatchObject(notFound)
    }
    const info = await talk.read(talk.visitor, '/channels/info', { channelKey: channel })
    expect(info.json().data.totalCount).toBe(1)
    for (const reply of [
      await talk.vote(ann, old.id, 'UP'),
      await talk.vote(ann, thread.id, 'UP', 'threads'),
      await talk.write(ann, 'POST', '/threads', { postId: old.id, content: 'x' }),
      await talk.write(ann, 'DELETE', `/posts/${old.id}`),
      await talk.write(ann, 'PATCH', `/threads/${thread.id}/update`, { content: 'x' }),
    ]) {
      expect(refusalOf(reply)).toMatchObject(notFound)
    }

    await moderate(`/comment-authors/${loud.memberId}`, false)

    expect(await view(channel)).toBe('From Ann 3, Old 1, New 0 / 3')
  })

  it('can still change, vote on and delete their own comments', async ({ members, talk, moderate, view }) => {
    const loud = await members.signUp()
    await moderate(`/comment-authors/${loud.memberId}`, true)
    const post = await talk.post(loud, 'still own', 'Post')

    const replies = [
      await talk.write(loud, 'PATCH', `/posts/${post.id}/update`, { content: 'Changed' }),
      await talk.vote(loud, post.id, 'UP'),
      await talk.write(loud, 'POST', '/threads', { postId: post.id, content: 'Thread' }),
    ]

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(await view('still own', loud)).toBe('Changed 1 / 1')
    expect(await view('still own')).toBe(' / 0')
    expect((await talk.write(loud, 'DELETE', `/posts/${post.id}`)).statusCode).toBe(200)
  })

  it("leaves no gap in other viewers' pages", async ({ members, talk, ann, moderate }) => {
    const loud = await members.signUp()
    const seen: string[] = []
    for (let count = 0; count < 6; count += 1) {
      for (const writer of [loud, ann, loud]) {
        const { id } = await talk.post(writer, 'paged')
        if (writer === ann) seen.unshift(id)
      }
    }
    await moderate(`/comment-authors/${loud.memberId}`, true)

    const first = await talk.posts('paged', { limit: 4 })
    const second = await talk.posts('paged', { limit: 4, after: first.posts.at(-1)?.internalOrder ?? '' })

    expect([...first.posts, ...second.posts].map(({ id }) => id)).toEqual(seen)
    expect([first.posts.length, first.totalCount]).toEqual([4, 6])
  })
})
