import type {
  CommentPost,
  CommentThread,
  channelInfoReply,
  commentDoneReply,
  deletedCommentReply,
  postsReply,
  threadsReply,
  Vote,
} from '@tidings/contracts/membership/comments'
import type { DataOf, Reply } from '../wire/replies.ts'
import type { Send } from './request.ts'

type Channel = { channelKey: string }
type Done = DataOf<typeof commentDoneReply>
type Deleted = DataOf<typeof deletedCommentReply>

/** A page of a list. `after` is the `internalOrder` of the last item of the previous page. */
type Page = { after?: string; order?: 'newest' | 'oldest'; limit?: number }

export function createCommentCalls({ send }: { send: Send }) {
  return {
    /** Returns a channel's number of posts and the member's subscription. */
    getChannelInfo({ channelKey }: Channel): Promise<Reply<DataOf<typeof channelInfoReply>>> {
      return send('GET', '/comments/channels/info', { query: { channelKey } })
    },

    /** Changes the member's subscription to a channel. */
    subscribeToChannel(params: Channel & { action: 'NONE' | 'THREADS_ONLY' }): Promise<Reply<Done>> {
      const { channelKey, action } = params
      return send('POST', '/comments/channels/manage-subscription', { body: { channelKey, action } })
    },

    getPosts(params: Channel & Page): Promise<Reply<DataOf<typeof postsReply>>> {
      const { channelKey, after, order, limit } = params
      return send('GET', '/comments/posts', { query: { channelKey, after, order, limit } })
    },

    getThreads(params: { postId: string } & Page): Promise<Reply<DataOf<typeof threadsReply>>> {
      const { postId, after, order, limit } = params
      return send('GET', '/comments/threads', { query: { postId, after, order, limit } })
    },

    createPost({ channelKey, content }: Channel & { content: string }): Promise<Reply<CommentPost>> {
      return send('POST', '/comments/posts', { body: { channelKey, content } })
    },

    updatePost({ postId, content }: { postId: string; content: string }): Promise<Reply<CommentPost>> {
      return send('PATCH', '/comments/posts/:postId/update', { params: { postId }, body: { content } })
    },

    /** Votes for or against a post, or removes the vote. */
    postVote({ postId, vote }: { postId: string; vote: Vote }): Promise<Reply<Done>> {
      return send('POST', '/comments/posts/:postId/vote', { params: { postId }, body: { vote } })
    },

    /** Deletes the member's own post with its threads. */
    deletePost({ postId }: { postId: string }): Promise<Reply<Deleted>> {
      return send('DELETE', '/comments/posts/:postId', { params: { postId } })
    },

    createThread({ postId, content }: { postId: string; content: string }): Promise<Reply<CommentThread>> {
      return send('POST', '/comments/threads', { body: { postId, content } })
    },

    updateThread(params: { threadId: string; content: string }): Promise<Reply<CommentThread>> {
      const { threadId, content } = params
      return send('PATCH', '/comments/threads/:threadId/update', { params: { threadId }, body: { content } })
    },

    /** Votes for or against a thread, or removes the vote. */
    threadVote({ threadId, vote }: { threadId: string; vote: Vote }): Promise<Reply<Done>> {
      return send('POST', '/comments/threads/:threadId/vote', { params: { threadId }, body: { vote } })
    },

    deleteThread({ threadId }: { threadId: string }): Promise<Reply<Deleted>> {
      return send('DELETE', '/comments/threads/:threadId', { params: { threadId } })
    },

    /** Shows the channel's other readers that the member is writing. */
    postIsTyping({ channelKey }: Channel): Promise<Reply<Done>> {
      return send('POST', '/comments/posts/typing', { body: { channelKey } })
    },
  }
}
