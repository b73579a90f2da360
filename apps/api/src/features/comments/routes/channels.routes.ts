import {
  channelInfoQuery,
  channelInfoReply,
  commentDoneReply,
  manageSubscriptionRequest,
  typingRequest,
} from '@tidings/contracts/comments'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import type { Typing } from '../typing/typing.service.ts'
import { type CommentRouteDeps, tags, writingErrors } from './comments-document.ts'

/** Channels: what there is in one, who wants to hear of it, who is writing. */
export function registerChannelRoutes(
  app: App,
  { comments, typing, viewerOf, writerOf }: CommentRouteDeps & { typing: Typing },
): void {
  app.get(
    membershipPaths.commentChannel,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'A channel; one that nobody has written in is empty',
        querystring: channelInfoQuery,
        response: { 200: channelInfoReply },
      },
    },
    async (request) => {
      return { data: await comments.channel(await viewerOf(request), request.query.channelKey) }
    },
  )

  app.post(
    membershipPaths.commentSubscription,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Says whether the member wants to hear of threads in a channel',
        body: manageSubscriptionRequest,
        response: { 200: commentDoneReply, ...writingErrors },
      },
    },
    async (request) => {
      await comments.subscribe(writerOf(request), request.body.channelKey, request.body.action)
      return { data: { success: true } } as const
    },
  )

  app.post(
    membershipPaths.typing,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Tells the readers of a channel that the member is writing',
        description: 'They hear of it on `/socket?channel=KEY`, at most once in two seconds.',
        body: typingRequest,
        response: { 200: commentDoneReply, ...writingErrors },
      },
    },
    async (request) => {
      await typing.announce(writerOf(request), request.body.channelKey)
      return { data: { success: true } } as const
    },
  )
}
