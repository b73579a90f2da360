import { wirePost } from '@tidings/client/testing/wire-samples'
import {
  announceTyping,
  type CommentPost,
  type CommentThread,
  createPost,
  createThread,
  deletePost,
  getCommentChannel,
  listPosts,
  listThreads,
  reportPost,
  reportThread,
  updatePost,
  votePost,
} from '@tidings/contracts/membership/comments'
import { apiServer } from './api-handlers.ts'
import { fake } from './fake.ts'

/** The comments of one channel, oldest first. */
export type FakeComments = {
  posts: CommentPost[]
  threads: Record<string, CommentThread[]>
  /** The reasons of reports, by comment. */
  reports: Record<string, string>
  /** How often a member's client said that they are typing. */
  typed: number
}

/** Returns a post; `number` distinguishes it. */
export function wirePostOf(number: number, post: Partial<CommentPost> = {}): CommentPost {
  const member = { id: 'mem_bea', customFields: { name: 'Bea' }, profileImage: null }
  return {
    ...wirePost,
    id: `cmt_${number}`,
    internalOrder: String(number),
    content: `Post ${number}`,
    member,
    ...post,
  }
}

/** Serves the comments of a channel; Ada, the site's member, writes them. */
export function serveComments(given: Partial<FakeComments> = {}): FakeComments {
  const comments: FakeComments = { posts: [], threads: {}, reports: {}, typed: 0, ...given }
  let made = 100
  const own = (content: string) => {
    made += 1
    return wirePostOf(made, {
      member: wirePost.member,
      content,
      _count: { Threads: 0, likedBy: 0, dislikedBy: 0 },
    })
  }
  const find = (postId: string) => comments.posts.find(({ id }) => id === postId) ?? own('')
  const done = () => ({ data: { success: true as const } })

  apiServer.use(
    fake(getCommentChannel, () => ({
      data: { channelKey: 'x', totalCount: comments.posts.length, subscription: 'NONE' as const },
    })),
    fake(listPosts, ({ query: { after, order, limit } }) => {
      const ordered = order === 'oldest' ? comments.posts : comments.posts.toReversed()
      const start = after === undefined ? 0 : ordered.findIndex((post) => post.internalOrder === after) + 1
      const posts = ordered.slice(start, start + limit)
      return { data: { posts, totalCount: comments.posts.length } }
    }),
    fake(listThreads, ({ query: { postId } }) => ({ data: { threads: comments.threads[postId] ?? [] } })),
    fake(announceTyping, () => {
      comments.typed += 1
      return done()
    }),
    fake(createPost, ({ body: { content } }) => {
      const post = own(content)
      comments.posts.push(post)
      return { data: post }
    }),
    fake(createThread, ({ body: { postId, content } }) => {
      const thread = own(content)
      comments.threads[postId] = [...(comments.threads[postId] ?? []), thread]
      const post = comments.posts.find(({ id }) => id === postId)
      if (post !== undefined) post._count.Threads += 1
      return { data: thread }
    }),
    fake(updatePost, ({ params: { postId }, body: { content } }) => {
      const post = find(postId)
      post.content = content
      return { data: post }
    }),
    fake(votePost, ({ params: { postId }, body: { vote } }) => {
      const post = find(postId)
      post._count.likedBy += (vote === 'UP' ? 1 : 0) - (post.vote === 'UP' ? 1 : 0)
      post.vote = vote
      return done()
    }),
    fake(reportPost, ({ params: { postId }, body: { reason } }) => {
      comments.reports[postId] = reason
      return done()
    }),
    fake(reportThread, ({ params: { threadId }, body: { reason } }) => {
      comments.reports[threadId] = reason
      return done()
    }),
    fake(deletePost, ({ params }) => {
      comments.posts = comments.posts.filter(({ id }) => id !== params.postId)
      return { data: { id: params.postId } }
    }),
  )
  return comments
}
