import {
  channelInfoReply,
  commentDoneReply,
  deletedCommentReply,
  postReply,
  postsReply,
  threadReply,
  threadsReply,
  typingEvent,
} from '@tidings/contracts/membership/comments'
import { siteUnderTest } from '../site-under-test.config.ts'
import { expect, freshName, type Guest, test } from './guest.ts'

const loginRequired = { code: 'login-required', status: 401 } as const
const notFound = { code: 'comment-not-found', status: 404 } as const

function freshChannel() {
  return { channelKey: freshName() }
}

/** Returns the channel's only post. */
async function onlyPost(guest: Guest, channel: { channelKey: string }) {
  const { data } = await guest.call(postsReply, 'getPosts', channel)
  expect(data).toMatchObject({ totalCount: 1, posts: [{ id: expect.stringMatching(/^cmt_/) }] })
  return data.posts[0]
}

test.describe('comments on a page of another origin', () => {
  test('are created, edited and deleted by their author', async ({ guest }) => {
    const channel = freshChannel()
    await guest.refuse(loginRequired, 'createPost', { ...channel, content: 'Early' })
    await guest.signUp({ customFields: { name: 'Gil', phone: '1' } })
    const draft = { ...channel, content: '<b>Calm</b><script>1</script>' }
    const { data: post } = await guest.call(postReply, 'createPost', draft)
    expect(post.content).toBe('<b>Calm</b>')
    expect(post.member.customFields).toEqual({ name: 'Gil' })
    const postId = post.id
    await guest.call(postReply, 'updatePost', { postId, content: 'Calmer' })
    expect(await onlyPost(guest, channel)).toMatchObject({ id: postId, content: 'Calmer' })

    await guest.call(deletedCommentReply, 'deletePost', { postId })
    expect((await guest.call(channelInfoReply, 'getChannelInfo', channel)).data.totalCount).toBe(0)
    await guest.refuse(notFound, 'deletePost', { postId })
  })

  test('are paged in both orders', async ({ guest }) => {
    const channel = freshChannel()
    await guest.signUp()
    for (const content of ['One', 'Two', 'Three'])
      await guest.call(postReply, 'createPost', { ...channel, content })
    const { data: first } = await guest.call(postsReply, 'getPosts', {
      ...channel,
      order: 'newest',
      limit: 2,
    })
    expect(first.posts.map(({ content }) => content)).toEqual(['Three', 'Two'])
    const rest = { ...channel, order: 'newest', after: first.posts[1]?.internalOrder }
    const { data: second } = await guest.call(postsReply, 'getPosts', rest)
    expect(second.posts.map(({ content }) => content)).toEqual(['One'])
    const { data: oldest } = await guest.call(postsReply, 'getPosts', {
      ...channel,
      order: 'oldest',
      limit: 1,
    })
    expect(oldest).toMatchObject({ totalCount: 3, posts: [{ content: 'One' }] })
    const sideways = { ...channel, order: 'sideways' }
    await guest.refuse({ code: 'invalid-request', status: 400 }, 'getPosts', sideways)
  })

  test('accept one vote per member, which may change', async ({ guest }) => {
    const channel = freshChannel()
    await guest.signUp()
    const { data: post } = await guest.call(postReply, 'createPost', { ...channel, content: 'Vote' })
    const counts: unknown[] = []
    for (const vote of ['UP', 'UP', 'DOWN', 'NONE']) {
      await guest.call(commentDoneReply, 'postVote', { postId: post.id, vote })
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
    const sideways = { postId: post.id, vote: 'SIDEWAYS' }
    await guest.refuse({ code: 'invalid-request', status: 400 }, 'postVote', sideways)
    await guest.refuse(notFound, 'postVote', { postId: 'cmt_none', vote: 'UP' })
  })

  test('have replies in threads', async ({ guest }) => {
    const channel = freshChannel()
    await guest.signUp()
    const { data: post } = await guest.call(postReply, 'createPost', { ...channel, content: 'Post' })
    const postId = post.id
    const { data: thread } = await guest.call(threadReply, 'createThread', { postId, content: 'Reply' })
    const threadId = thread.id
    await guest.call(threadReply, 'updateThread', { threadId, content: 'Better reply' })
    await guest.call(commentDoneReply, 'threadVote', { threadId, vote: 'UP' })
    const { data: listed } = await guest.call(threadsReply, 'getThreads', {
      postId,
      order: 'oldest',
      limit: 5,
    })
    expect(listed.threads).toMatchObject([{ id: threadId, content: 'Better reply', _count: { likedBy: 1 } }])
    expect((await onlyPost(guest, channel))?._count.Threads).toBe(1)
    await guest.call(deletedCommentReply, 'deleteThread', { threadId })
    expect((await guest.call(threadsReply, 'getThreads', { postId })).data.threads).toEqual([])
    await guest.refuse(notFound, 'updateThread', { threadId, content: 'Too late' })
    await guest.refuse(notFound, 'createThread', { postId: 'cmt_none', content: 'Where?' })
  })

  test('of another member can be read but not changed', async ({ guest }) => {
    const channel = freshChannel()
    await guest.signUp()
    const { data: post } = await guest.call(postReply, 'createPost', { ...channel, content: 'Mine' })
    await guest.signUp()
    const postId = post.id
    const denied = { code: 'access-denied', status: 403 } as const
    await guest.refuse(denied, 'updatePost', { postId, content: 'Yours' })
    await guest.refuse(denied, 'deletePost', { postId })
    expect(await onlyPost(guest, channel)).toMatchObject({ content: 'Mine' })
  })

  test('can be subscribed to by channel', async ({ guest }) => {
    const channel = freshChannel()
    const subscribe = { ...channel, action: 'THREADS_ONLY' }
    await guest.refuse(loginRequired, 'subscribeToChannel', subscribe)
    await guest.signUp()
    await guest.call(commentDoneReply, 'subscribeToChannel', subscribe)
    const subscribed = await guest.call(channelInfoReply, 'getChannelInfo', channel)
    expect(subscribed.data.subscription).toBe('THREADS_ONLY')
    await guest.call(commentDoneReply, 'subscribeToChannel', { ...channel, action: 'NONE' })
    const { data } = await guest.call(channelInfoReply, 'getChannelInfo', channel)
    expect(data.subscription).toBe('NONE')
  })

  test('show other readers that a member is typing', async ({ guest, openGuest }) => {
    const channel = freshChannel()
    await guest.refuse(loginRequired, 'postIsTyping', channel)
    const { member } = await guest.signUp({ customFields: { name: 'Gil' } })
    const reader = await openGuest()
    const address = new URL(`/socket?channel=${channel.channelKey}`, siteUnderTest.url())
    address.protocol = 'ws:'
    await reader.page.evaluate(async (url) => {
      const socket = new WebSocket(url)
      const frame = new Promise((resolve, reject) => {
        socket.onmessage = ({ data }) => resolve(data)
        socket.onclose = () => reject(new Error('The socket was closed'))
      })
      Object.assign(window, { frame })
      await new Promise((resolve) => {
        socket.onopen = resolve
      })
    }, address.href)
    await guest.call(commentDoneReply, 'postIsTyping', channel)
    const frame = typingEvent.parse(JSON.parse(await reader.page.evaluate('frame')))
    expect(frame.data).toMatchObject({ ...channel, member: { id: member.id, customFields: { name: 'Gil' } } })
  })
})
