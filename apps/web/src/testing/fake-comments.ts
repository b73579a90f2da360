import { wirePost } from '@tidings/client/testing/wire-samples'
import {
  type CommentPost,
  type CommentThread,
  channelInfoReply,
  commentDoneReply,
  createPostRequest,
  createThreadRequest,
  deletedCommentReply,
  postReply,
  postsReply,
  threadReply,
  threadsReply,
  updateCommentRequest,
  voteRequest,
} from '@tidings/contracts/membership/comments'
import { membershipPaths } from '@tidings/contracts/paths'
import { HttpResponse, http } from 'msw/http'
import { apiServer } from './api-handlers.ts'

/** The comments of one channel, oldest first. */
export type FakeComments = {
  posts: CommentPost[]
  threads: Record<string, CommentThread[]>
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
  const comments: FakeComments = { posts: [], threads: {}, typed: 0, ...given }
  let made = 100
  const own = (content: string) => {
    made += 1
    return wirePostOf(made, {
      member: wirePost.member,
      content,
      _count: { Threads: 0, likedBy: 0, dislikedBy: 0 },
    })
  }
  const find = (id: unknown) =>
    [...comments.posts, ...Object.values(comments.threads).flat()].find((one) => one.id === id) ?? own('')
  const done = () => HttpResponse.json(commentDoneReply.parse({ data: { success: true } }))

  apiServer.use(
    http.get(membershipPaths.commentChannel, () => {
      const data = { channelKey: 'x', totalCount: comments.posts.length, subscription: 'NONE' }
      return HttpResponse.json(channelInfoReply.parse({ data }))
    }),
    http.get(membershipPaths.posts, ({ request }) => {
      const query = new URL(request.url).searchParams
      const after = query.get('after')
      const ordered = query.get('order') === 'oldest' ? comments.posts : comments.posts.toReversed()
      const start = after === null ? 0 : ordered.findIndex((post) => post.internalOrder === after) + 1
      const posts = ordered.slice(start, start + Number(query.get('limit')))
      return HttpResponse.json(postsReply.parse({ data: { posts, totalCount: comments.posts.length } }))
    }),
    http.get(membershipPaths.threads, ({ request }) => {
      const threads = comments.threads[new URL(request.url).searchParams.get('postId') ?? ''] ?? []
      return HttpResponse.json(threadsReply.parse({ data: { threads } }))
    }),
    http.post(membershipPaths.typing, () => {
      comments.typed += 1
      return done()
    }),
    http.post(membershipPaths.posts, async ({ request }) => {
      const post = own(createPostRequest.parse(await request.json()).content)
      comments.posts.push(post)
      return HttpResponse.json(postReply.parse({ data: post }))
    }),
    http.post(membershipPaths.threads, async ({ request }) => {
      const { postId, content } = createThreadRequest.parse(await request.json())
      const thread = own(content)
      comments.threads[postId] = [...(comments.threads[postId] ?? []), thread]
      const post = comments.posts.find(({ id }) => id === postId)
      if (post !== undefined) post._count.Threads += 1
      return HttpResponse.json(threadReply.parse({ data: thread }))
    }),
    http.patch(membershipPaths.updatePost, async ({ params, request }) => {
      const post = find(params.postId)
      post.content = updateCommentRequest.parse(await request.json()).content
      return HttpResponse.json(threadReply.parse({ data: post }))
    }),
    http.post(membershipPaths.votePost, async ({ params, request }) => {
      const { vote } = voteRequest.parse(await request.json())
      const post = find(params.postId)
      post._count.likedBy += (vote === 'UP' ? 1 : 0) - (post.vote === 'UP' ? 1 : 0)
      post.vote = vote
      return done()
    }),
    http.delete(membershipPaths.post, ({ params }) => {
      comments.posts = comments.posts.filter(({ id }) => id !== params.postId)
      return HttpResponse.json(deletedCommentReply.parse({ data: { id: params.postId } }))
    }),
  )
  return comments
}
