import { describe, expect } from 'vitest'
import { expectRefusal, freshName, type Guest, it } from '../testing/guest.ts'

const loginRequired = { code: 'login-required', status: 401 }
const notFound = { code: 'comment-not-found', status: 404 }

function freshChannel() {
  return { channelKey: freshName() }
}

/** Returns the channel's only post. */
async function onlyPost({ client }: Guest, channel: { channelKey: string }) {
  const { data } = await client.getPosts(channel)
  expect(data).toMatchObject({ totalCount: 1, posts: [{ id: expect.stringMatching(/^cmt_/) }] })
  return data.posts[0]
}

describe('comments', () => {
  it('are created, edited and deleted by their author', async ({ guest }) => {
    const channel = freshChannel()
    await expectRefusal(guest.client.createPost({ ...channel, content: 'Early' }), loginRequired)
    await guest.signUp({ customFields: { name: 'Gil', phone: '1' } })
    const content = '<b>Calm</b><script>1</script>'
    const { data: post } = await guest.client.createPost({ ...channel, content })
    expect(post.content).toBe('<b>Calm</b>')
    expect(post.member.customFields).toEqual({ name: 'Gil' })
    const postId = post.id
    await guest.client.updatePost({ postId, content: 'Calmer' })
    expect(await onlyPost(guest, channel)).toMatchObject({ id: postId, content: 'Calmer' })

    await guest.client.deletePost({ postId })
    expect((await guest.client.getChannelInfo(channel)).data.totalCount).toBe(0)
    await expectRefusal(guest.client.deletePost({ postId }), notFound)
  })

  it('are paged in both orders', async ({ guest }) => {
    const channel = freshChannel()
    await guest.signUp()
    for (const content of ['One', 'Two', 'Three']) await guest.client.createPost({ ...channel, content })
    const page = async (more: Partial<Parameters<typeof guest.client.getPosts>[0]>) =>
      (await guest.client.getPosts({ ...channel, ...more })).data
    const first = await page({ order: 'newest', limit: 2 })
    expect(first.posts.map(({ content }) => content)).toEqual(['Three', 'Two'])
    const second = await page({ order: 'newest', after: first.posts[1]?.internalOrder ?? '' })
    expect(second.posts.map(({ content }) => content)).toEqual(['One'])
    const oldest = await page({ order: 'oldest', limit: 1 })
    expect(oldest).toMatchObject({ totalCount: 3, posts: [{ content: 'One' }] })
  })

  it('accept one vote per member, which may change', async ({ guest }) => {
    const channel = freshChannel()
    await guest.signUp()
    const { data: post } = await guest.client.createPost({ ...channel, content: 'Vote' })
    const counts: unknown[] = []
    for (const vote of ['UP', 'UP', 'DOWN', 'NONE'] as const) {
      await guest.client.postVote({ postId: post.id, vote })
      counts.push((await onlyPost(guest, channel))?._count)
    }
    expect(counts).toEqual(
      [
        [1, 0],
        [1, 0],
        [0, 1],
        [0, 0],
      ].map(([likedBy, dislikedBy]) => ({ Threads: 0, likedBy, dislikedBy })),
    )
    await expectRefusal(guest.client.postVote({ postId: 'cmt_none', vote: 'UP' }), notFound)
  })

  it('have replies in threads', async ({ guest }) => {
    const channel = freshChannel()
    await guest.signUp()
    const { data: post } = await guest.client.createPost({ ...channel, content: 'Post' })
    const postId = post.id
    const { data: thread } = await guest.client.createThread({ postId, content: 'Reply' })
    const threadId = thread.id
    await guest.client.updateThread({ threadId, content: 'Better reply' })
    await guest.client.threadVote({ threadId, vote: 'UP' })
    const { data: listed } = await guest.client.getThreads({ postId, order: 'oldest', limit: 5 })
    expect(listed.threads).toMatchObject([{ id: threadId, content: 'Better reply', _count: { likedBy: 1 } }])
    expect((await onlyPost(guest, channel))?._count.Threads).toBe(1)
    await guest.client.deleteThread({ threadId })
    expect((await guest.client.getThreads({ postId })).data.threads).toEqual([])
    await expectRefusal(guest.client.updateThread({ threadId, content: 'Too late' }), notFound)
    await expectRefusal(guest.client.createThread({ postId: 'cmt_none', content: 'Where?' }), notFound)
  })

  it('of another member can be read but not changed', async ({ guest }) => {
    const channel = freshChannel()
    await guest.signUp()
    const { data: post } = await guest.client.createPost({ ...channel, content: 'Mine' })
    await guest.signUp()
    const denied = { code: 'access-denied', status: 403 }
    await expectRefusal(guest.client.updatePost({ postId: post.id, content: 'Yours' }), denied)
    await expectRefusal(guest.client.deletePost({ postId: post.id }), denied)
    expect(await onlyPost(guest, channel)).toMatchObject({ content: 'Mine' })
  })

  it('can be subscribed to by channel', async ({ guest }) => {
    const channel = freshChannel()
    const subscribe = (action: 'NONE' | 'THREADS_ONLY') =>
      guest.client.subscribeToChannel({ ...channel, action })
    const subscription = async () => (await guest.client.getChannelInfo(channel)).data.subscription
    await expectRefusal(subscribe('THREADS_ONLY'), loginRequired)
    await guest.signUp()
    await subscribe('THREADS_ONLY')
    expect(await subscription()).toBe('THREADS_ONLY')
    await subscribe('NONE')
    expect(await subscription()).toBe('NONE')
  })
})
