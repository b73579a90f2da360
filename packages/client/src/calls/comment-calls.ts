import type { Vote } from '@tidings/contracts/membership/comments'
import * as routes from '@tidings/contracts/membership/routes'
import type { Send } from './request.ts'

type Channel = { channelKey: string }

/** A page of a list. `after` is the `internalOrder` of the last item of the previous page. */
type Page = { after?: string; order?: 'newest' | 'oldest'; limit?: number }

export function createCommentCalls({ send }: { send: Send }) {
  return {
    /** Returns a channel's number of posts and the member's subscription. */
    getChannelInfo({ channelKey }: Channel) {
      return send(routes.getCommentChannel, { query: { channelKey } })
    },

    /** Changes the member's subscription to a channel. */
    subscribeToChannel({ channelKey, action }: Channel & { action: 'NONE' | 'THREADS_ONLY' }) {
      return send(routes.subscribeToComments, { body: { channelKey, action } })
    },

    getPosts({ channelKey, after, order, limit }: Channel & Page) {
      return send(routes.listPosts, { query: { channelKey, after, order, limit } })
    },

    getThreads({ postId, after, order, limit }: { postId: string } & Page) {
      return send(routes.listThreads, { query: { postId, after, order, limit } })
    },

    createPost({ channelKey, content }: Channel & { content: string }) {
      return send(routes.createPost, { body: { channelKey, content } })
    },

    updatePost({ postId, content }: { postId: string; content: string }) {
      return send(routes.updatePost, { params: { postId }, body: { content } })
    },

    /** Votes for or against a post, or removes the vote. */
    postVote({ postId, vote }: { postId: string; vote: Vote }) {
      return send(routes.votePost, { params: { postId }, body: { vote } })
    },

    /** Reports a post to the editors, with the reason in the member's words. */
    reportPost({ postId, reason }: { postId: string; reason: string }) {
      return send(routes.reportPost, { params: { postId }, body: { reason } })
    },

    /** Deletes the member's own post with its threads. */
    deletePost({ postId }: { postId: string }) {
      return send(routes.deletePost, { params: { postId } })
    },

    createThread({ postId, content }: { postId: string; content: string }) {
      return send(routes.createThread, { body: { postId, content } })
    },

    updateThread({ threadId, content }: { threadId: string; content: string }) {
      return send(routes.updateThread, { params: { threadId }, body: { content } })
    },

    /** Votes for or against a thread, or removes the vote. */
    threadVote({ threadId, vote }: { threadId: string; vote: Vote }) {
      return send(routes.voteThread, { params: { threadId }, body: { vote } })
    },

    /** Reports a thread to the editors. */
    reportThread({ threadId, reason }: { threadId: string; reason: string }) {
      return send(routes.reportThread, { params: { threadId }, body: { reason } })
    },

    deleteThread({ threadId }: { threadId: string }) {
      return send(routes.deleteThread, { params: { threadId } })
    },

    /** Shows the channel's other readers that the member is writing. */
    postIsTyping({ channelKey }: Channel) {
      return send(routes.announceTyping, { body: { channelKey } })
    },
  }
}
