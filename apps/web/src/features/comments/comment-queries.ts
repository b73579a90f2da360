import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { MembershipClient } from '@tidings/client'
import type { CommentPost, CommentThread } from '@tidings/contracts/membership/comments'
import { memberKey } from '#lib/member/member-queries.ts'
import type { MemberSession } from '#lib/member-session/member-session.ts'
import { useServices } from '#lib/services/services.tsx'

export type Order = 'newest' | 'oldest'

/** A post, or a reply to one. */
export type Comment = { kind: 'post'; value: CommentPost } | { kind: 'thread'; value: CommentThread }

const pageSize = 20

function keyOf(channel: string) {
  return [memberKey, 'comments', channel] as const
}

/** Reads how many posts a channel has. */
export function channelInfo(session: MemberSession, channel: string) {
  return queryOptions({
    queryKey: [...keyOf(channel), 'info'],
    queryFn: async () => (await (await session.getClient()).getChannelInfo({ channelKey: channel })).data,
  })
}

/** Reads the posts of a channel, page by page. */
export function postsOf(session: MemberSession, channel: string, order: Order) {
  return infiniteQueryOptions({
    queryKey: [...keyOf(channel), 'posts', order],
    async queryFn({ pageParam }) {
      const client = await session.getClient()
      const page = { order, limit: pageSize, ...(pageParam === '' ? {} : { after: pageParam }) }
      return (await client.getPosts({ channelKey: channel, ...page })).data.posts
    },
    initialPageParam: '',
    getNextPageParam: nextPage,
  })
}

/** Reads the replies to a post, oldest first, page by page. */
export function repliesTo(session: MemberSession, channel: string, postId: string) {
  return infiniteQueryOptions({
    queryKey: [...keyOf(channel), 'replies', postId],
    async queryFn({ pageParam }) {
      const client = await session.getClient()
      const page = {
        order: 'oldest',
        limit: pageSize,
        ...(pageParam === '' ? {} : { after: pageParam }),
      } as const
      return (await client.getThreads({ postId, ...page })).data.threads
    },
    initialPageParam: '',
    getNextPageParam: nextPage,
  })
}

function nextPage(page: readonly { internalOrder: string }[]): string | undefined {
  return page.length < pageSize ? undefined : page.at(-1)?.internalOrder
}

/** Returns a change of a channel's comments. It ends once the lists show what the server stored. */
export function useCommentChange<Variables>(
  channel: string,
  change: (client: MembershipClient, variables: Variables) => Promise<unknown>,
) {
  const queryClient = useQueryClient()
  const { memberSession } = useServices()
  return useMutation({
    mutationFn: async (variables: Variables) => await change(await memberSession.getClient(), variables),
    // A list that cannot be read again says so itself.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(channel) }),
  })
}
