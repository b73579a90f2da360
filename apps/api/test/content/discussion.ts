import {
  type CommentPost,
  type CommentThread,
  postReply,
  postsReply,
  threadReply,
  threadsReply,
} from '@tidings/contracts/membership/comments'
import type { LightMyRequestResponse } from 'fastify'
import type { TestMembers } from '../membership.ts'

type Headers = Record<string, string>
type Caller = { headers: Headers }
type Query = Record<string, string | number>

export type TestDiscussion = ReturnType<typeof createTestDiscussion>

/** Comments through the membership protocol and parses the replies with the contract. */
export function createTestDiscussion({ call, visitor: visitorHeaders }: TestMembers) {
  const visitor: Caller = { headers: visitorHeaders }

  function write(
    { headers }: Caller,
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<LightMyRequestResponse> {
    return call(method, `/comments${path}`, { headers, ...(body === undefined ? {} : { body }) })
  }

  function read({ headers }: Caller, path: string, query: Query): Promise<LightMyRequestResponse> {
    const text = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return call('GET', `/comments${path}?${text.join('&')}`, { headers })
  }

  return {
    visitor,
    write,
    read,
    async post(writer: Caller, channelKey: string, content = 'A post'): Promise<CommentPost> {
      const reply = expectOk(await write(writer, 'POST', '/posts', { channelKey, content }))
      return postReply.parse(reply.json()).data
    },
    async thread(writer: Caller, postId: string, content = 'A thread'): Promise<CommentThread> {
      const reply = expectOk(await write(writer, 'POST', '/threads', { postId, content }))
      return threadReply.parse(reply.json()).data
    },
    async posts(
      channelKey: string,
      query: Query = {},
      viewer = visitor,
    ): Promise<{ posts: CommentPost[]; totalCount: number }> {
      return postsReply.parse(expectOk(await read(viewer, '/posts', { channelKey, ...query })).json()).data
    },
    async threads(postId: string, query: Query = {}, viewer = visitor): Promise<CommentThread[]> {
      const reply = expectOk(await read(viewer, '/threads', { postId, ...query }))
      return threadsReply.parse(reply.json()).data.threads
    },
    /** Votes on a post, or on a thread with the kind `threads`. */
    vote(
      voter: Caller,
      id: string,
      vote: unknown,
      kind: 'posts' | 'threads' = 'posts',
    ): Promise<LightMyRequestResponse> {
      return write(voter, 'POST', `/${kind}/${id}/vote`, { vote })
    },
  }
}

function expectOk(reply: LightMyRequestResponse): LightMyRequestResponse {
  if (reply.statusCode === 200) return reply
  throw new Error(`200 was expected, not ${reply.statusCode}: ${reply.body}`)
}
