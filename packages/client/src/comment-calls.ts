import type {
  CommentPost,
  CommentThread,
  channelInfoReply,
  commentDoneReply,
  deletedCommentReply,
  postsReply,
  threadsReply,
  Vote,
} from '@tidings/contracts/comments'
import type { DataOf, Reply } from './replies.ts'
import type { Send } from './request.ts'

type Channel = { channelKey: string }
type Done = DataOf<typeof commentDoneReply>
type Deleted = DataOf<typeof deletedCommentReply>

/** Which part of a list is wanted. `after` is the `internalOrder` of the last item of the part before. */
type Part = { after?: string; order?: 'newest' | 'oldest'; limit?: number }

/** The calls about a page's discussion: channels, posts and the threads under them. */
export function createCommentCalls({ send }: { send: Send }) {
  return {
    /** How many posts a channel has, and what the member subscribed to. */
    getChannelInfo({ channelKey }: Channel): Promise<Reply<DataOf<typeof channelInfoReply>>> {
      return send('GET', '/comments/channels/info', { query: { channelKey } })
    },

    /** Sets what of a channel the member is told about. */
    subscribeToChannel(params: Channel & { action: 'NONE' | 'THREADS_ONLY' }): Promise<Reply<Done>> {
      const { channelKey, action } = params
      return send('POST', '/comments/channels/manage-subscription', { body: { channelKey, action } })
    },

    getPosts(params: Channel & Part): Promise<Reply<DataOf<typeof postsReply>>> {
      const { channelKey, after, order, limit } = params
      return send('GET', '/comments/posts', { query: { channelKey, after, order, limit } })
    },

    getThreads(params: { postId: string } & Part): Promise<Reply<DataOf<typeof threadsReply>>> {
      const { postId, after, order, limit } = params
      return send('GET', '/comments/threads', { query: { postId, after, order, limit } })
    },

    createPost({ channelKey, content }: Channel & { content: string }): Promise<Reply<CommentPost>> {
      return send('POST', '/comments/posts', { body: { channelKey, content } })
    },

    updatePost({ postId, content }: { postId: string; content: string }): Promise<Reply<CommentPost>> {
      return send('PATCH', '/comments/posts/:postId/update', { params: { postId }, body: { content } })
    },

    /** Votes for or against a post, or takes the vote back. */
    postVote({ postId, vote }: { postId: string; vote: Vote }): Promise<Reply<Done>> {
      return send('POST', '/comments/posts/:postId/vote', { params: { postId }, body: { vote } })
    },

    /** Deletes the member's own post with the threads under it. */
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

    /** Votes for or against a thread, or takes the vote back. */
    threadVote({ threadId, vote }: { threadId: string; vote: Vote }): Promise<Reply<Done>> {
      return send('POST', '/comments/threads/:threadId/vote', { params: { threadId }, body: { vote } })
    },

    deleteThread({ threadId }: { threadId: string }): Promise<Reply<Deleted>> {
      return send('DELETE', '/comments/threads/:threadId', { params: { threadId } })
    },

    /** Tells the channel's other readers that the member is writing. */
    postIsTyping({ channelKey }: Channel): Promise<Reply<Done>> {
      return send('POST', '/comments/posts/typing', { body: { channelKey } })
    },
  }
}
