import { describe, expect } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'

const votes = ['UP', 'DOWN', 'NONE'] as const

const it = siteTest()
  .extend('talk', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('ben', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('crowd', { scope: 'file' }, ({ members }) =>
    Promise.all(Array.from({ length: 20 }, () => members.signUp())),
  )

  /** Returns a post's vote counts, after checking them against its rows. */
  .extend(
    'countPostVotes',
    { scope: 'file' },
    ({ site }) =>
      async (id: string): Promise<{ likedBy: number; dislikedBy: number }> => {
        const { db } = site.context.database
        const { likedBy, dislikedBy } = await db.commentPost.findUniqueOrThrow({ where: { id } })
        expect(likedBy).toBe(await db.commentPostVote.count({ where: { postId: id, vote: 'up' } }))
        expect(dislikedBy).toBe(await db.commentPostVote.count({ where: { postId: id, vote: 'down' } }))
        return { likedBy, dislikedBy }
      },
  )

  /** Returns a thread's up votes, after checking them against its rows. */
  .extend('countThreadVotes', { scope: 'file' }, ({ site }) => async (id: string): Promise<number> => {
    const { db } = site.context.database
    const { likedBy } = await db.commentThread.findUniqueOrThrow({ where: { id } })
    expect(likedBy).toBe(await db.commentThreadVote.count({ where: { threadId: id, vote: 'up' } }))
    return likedBy
  })

describe('POST /comments/posts/{id}/vote', () => {
  it('counts each member once, and a vote can be changed and removed', async ({
    talk,
    ann,
    ben,
    countPostVotes,
  }) => {
    const { id } = await talk.post(ann, 'one vote')

    const seen: string[] = []
    for (const vote of ['UP', 'UP', 'DOWN', 'DOWN', 'NONE', 'NONE', 'DOWN', 'UP']) {
      expect((await talk.vote(ben, id, vote)).json()).toEqual({ data: { success: true } })
      const { likedBy, dislikedBy } = await countPostVotes(id)
      seen.push(`${likedBy}-${dislikedBy}`)
    }

    expect(seen).toEqual(['1-0', '1-0', '0-1', '0-1', '0-0', '0-0', '0-1', '1-0'])
    expect((await talk.posts('one vote')).posts[0]?._count).toEqual({ Threads: 0, likedBy: 1, dislikedBy: 0 })
  })

  it('is shown to its member alone', async ({ talk, ann, ben }) => {
    const { id, vote } = await talk.post(ann, 'own vote')
    const thread = await talk.thread(ann, id)
    await talk.vote(ben, id, 'DOWN')
    await talk.vote(ben, thread.id, 'UP', 'threads')
    const seenBy = async (viewer = talk.visitor) => [
      (await talk.posts('own vote', {}, viewer)).posts[0]?.vote,
      (await talk.threads(id, {}, viewer))[0]?.vote,
    ]

    expect(vote).toBe('NONE')
    expect(await seenBy(ben)).toEqual(['DOWN', 'UP'])
    expect(await seenBy(ann)).toEqual(['NONE', 'NONE'])
    expect(await seenBy()).toEqual(['NONE', 'NONE'])
  })

  it.for(['up', 'LIKE', '', 1, null, undefined, ['UP']])(
    'refuses the vote %j',
    async (vote, { talk, ann, ben, countPostVotes }) => {
      const { id } = await talk.post(ann, 'wrong votes')

      expect(refusalOf(await talk.vote(ben, id, vote)).status).toBe(400)
      expect(await countPostVotes(id)).toEqual({ likedBy: 0, dislikedBy: 0 })
    },
  )

  it('counts concurrent, changing votes of twenty members correctly', async ({
    talk,
    ann,
    crowd,
    countPostVotes,
  }) => {
    const { id } = await talk.post(ann, 'storm')
    const last = crowd.map((_, index) => votes[index % 3] ?? 'NONE')

    const replies = await Promise.all(
      crowd.map(async (voter, index) => {
        const minds = [0, 1, 2, 3].map((step) => votes[(index * 7 + step * 5) % 3])
        const all = await Promise.all(minds.map((vote) => talk.vote(voter, id, vote)))
        return [...all, await talk.vote(voter, id, last[index])]
      }),
    )

    expect(replies.flat()).toHaveLength(100)
    expect(new Set(replies.flat().map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(await countPostVotes(id)).toEqual({
      likedBy: last.filter((vote) => vote === 'UP').length,
      dislikedBy: last.filter((vote) => vote === 'DOWN').length,
    })
  })

  it('counts or returns 404 while the post is being deleted', async ({ site, talk, ann, crowd }) => {
    const posts = await Promise.all(Array.from({ length: 8 }, () => talk.post(ann, 'vanishing')))
    for (const { id } of posts)
      await Promise.all(crowd.slice(0, 4).map((voter) => talk.vote(voter, id, 'DOWN')))

    const replies = await Promise.all(
      posts.flatMap(({ id }) => [
        ...crowd.slice(0, 8).map((voter) => talk.vote(voter, id, 'UP')),
        talk.write(ann, 'DELETE', `/posts/${id}`),
        ...crowd.slice(0, 4).map((voter) => talk.vote(voter, id, 'NONE')),
      ]),
    )

    for (const reply of replies.filter(({ statusCode }) => statusCode !== 200)) {
      expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'comment-not-found' })
    }
    const { commentPost, commentPostVote } = site.context.database.db
    const postId = { in: posts.map(({ id }) => id) }
    expect(await commentPost.count({ where: { id: postId } })).toBe(0)
    expect(await commentPostVote.count({ where: { postId } })).toBe(0)
  })
})

describe('POST /comments/threads/{id}/vote', () => {
  it('counts up votes and stores down votes', async ({ site, talk, ann, ben, countThreadVotes }) => {
    const post = await talk.post(ann, 'thread votes')
    const { id } = await talk.thread(ann, post.id)

    const seen: number[] = []
    for (const vote of ['UP', 'UP', 'DOWN', 'NONE', 'UP']) {
      await talk.vote(ben, id, vote, 'threads')
      seen.push(await countThreadVotes(id))
    }
    await talk.vote(ann, id, 'DOWN', 'threads')

    expect(seen).toEqual([1, 1, 0, 0, 1])
    expect((await talk.threads(post.id)).map(({ _count }) => _count)).toEqual([{ Threads: 0, likedBy: 1 }])
    expect(
      await site.context.database.db.commentThreadVote.count({ where: { threadId: id, vote: 'down' } }),
    ).toBe(1)
  })

  it('counts concurrent votes of ten members correctly', async ({ talk, ann, crowd, countThreadVotes }) => {
    const { id } = await talk.thread(ann, (await talk.post(ann, 'thread storm')).id)
    const voters = crowd.slice(0, 10)

    await Promise.all(voters.flatMap((voter) => votes.map((vote) => talk.vote(voter, id, vote, 'threads'))))
    await Promise.all(voters.map((voter, index) => talk.vote(voter, id, votes[index % 2], 'threads')))

    expect(await countThreadVotes(id)).toBe(5)
  })

  it('refuses the id of a post, and a post vote refuses the id of a thread', async ({ talk, ann, ben }) => {
    const post = await talk.post(ann, 'mistaken')
    const thread = await talk.thread(ann, post.id)

    expect(refusalOf(await talk.vote(ben, post.id, 'UP', 'threads')).code).toBe('comment-not-found')
    expect(refusalOf(await talk.vote(ben, thread.id, 'UP')).code).toBe('comment-not-found')
  })
})

describe('concurrently created and deleted threads', () => {
  it('are counted correctly', async ({ talk, ann, crowd }) => {
    const post = await talk.post(ann, 'busy')
    const writers = crowd.slice(0, 15)

    await Promise.all(
      writers.map(async (writer, index) => {
        const { id } = await talk.thread(writer, post.id)
        if (index % 3 === 0) await talk.write(writer, 'DELETE', `/threads/${id}`)
      }),
    )

    expect((await talk.posts('busy')).posts[0]?._count.Threads).toBe(10)
    expect(await talk.threads(post.id, { limit: 100 })).toHaveLength(10)
  })

  it('do not deadlock with the deletion of their post', async ({ site, talk, ann, crowd }) => {
    const post = await talk.post(ann, 'busy and gone')
    const writers = crowd.slice(0, 10)
    const threads = await Promise.all(writers.map((writer) => talk.thread(writer, post.id)))

    const replies = await Promise.all([
      ...writers.map((writer, index) => talk.write(writer, 'DELETE', `/threads/${threads[index]?.id}`)),
      talk.write(ann, 'DELETE', `/posts/${post.id}`),
      ...writers.map((writer) => talk.write(writer, 'POST', '/threads', { postId: post.id, content: 'x' })),
    ])

    for (const reply of replies.filter(({ statusCode }) => statusCode !== 200)) {
      expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'comment-not-found' })
    }
    expect(await site.context.database.db.commentThread.count({ where: { postId: post.id } })).toBe(0)
  })
})

describe('a member who deletes their account', () => {
  it('removes their comments and votes', async ({ members, talk, ann, ben, countPostVotes }) => {
    const leaver = await members.signUp()
    const [stays, goes] = [await talk.post(ann, 'leaving'), await talk.post(leaver, 'leaving')]
    const thread = await talk.thread(ann, stays.id)
    await talk.thread(leaver, stays.id)
    await talk.thread(ann, goes.id)
    for (const voter of [leaver, ben]) {
      await talk.vote(voter, stays.id, 'UP')
      await talk.vote(voter, thread.id, 'UP', 'threads')
    }
    await talk.vote(leaver, goes.id, 'DOWN')

    const reply = await members.call('DELETE', '/member', { headers: leaver.headers })

    expect(reply.statusCode).toBe(200)
    expect(await talk.posts('leaving')).toEqual({
      posts: [{ ...stays, _count: { Threads: 1, likedBy: 1, dislikedBy: 0 } }],
      totalCount: 1,
    })
    expect(await talk.threads(stays.id)).toEqual([{ ...thread, _count: { Threads: 0, likedBy: 1 } }])
    expect(await countPostVotes(stays.id)).toEqual({ likedBy: 1, dislikedBy: 0 })
  })
})
