import { describeCalls } from '../testing/describe-calls.ts'
import { wirePost } from '../testing/wire-samples.ts'
import { createCommentCalls } from './comment-calls.ts'

const done = { success: true }

describeCalls(createCommentCalls, {
  getChannelInfo: {
    act: (client) => client.getChannelInfo({ channelKey: 'memo & more' }),
    line: 'GET /comments/channels/info?channelKey=memo+%26+more',
    data: { channelKey: 'memo & more', totalCount: 0, subscription: 'NONE' },
  },
  subscribeToChannel: {
    act: (client) => client.subscribeToChannel({ channelKey: 'memo', action: 'THREADS_ONLY' }),
    line: 'POST /comments/channels/manage-subscription',
    body: { channelKey: 'memo', action: 'THREADS_ONLY' },
    data: done,
  },
  getPosts: {
    act: (client) => client.getPosts({ channelKey: 'memo', after: '7', order: 'oldest', limit: 10 }),
    line: 'GET /comments/posts?channelKey=memo&after=7&order=oldest&limit=10',
    data: { posts: [wirePost], totalCount: 1 },
  },
  'getPosts from the first on': {
    act: (client) => client.getPosts({ channelKey: 'memo' }),
    line: 'GET /comments/posts?channelKey=memo',
    data: { posts: [], totalCount: 0 },
  },
  getThreads: {
    act: (client) => client.getThreads({ postId: 'cmt_1', after: '7', order: 'newest', limit: 10 }),
    line: 'GET /comments/threads?postId=cmt_1&after=7&order=newest&limit=10',
    data: { threads: [] },
  },
  createPost: {
    act: (client) => client.createPost({ channelKey: 'memo', content: 'Well said.' }),
    line: 'POST /comments/posts',
    body: { channelKey: 'memo', content: 'Well said.' },
    data: wirePost,
  },
  updatePost: {
    act: (client) => client.updatePost({ postId: 'cmt_1', content: 'Well put.' }),
    line: 'PATCH /comments/posts/cmt_1/update',
    body: { content: 'Well put.' },
    data: wirePost,
  },
  postVote: {
    act: (client) => client.postVote({ postId: 'cmt_1', vote: 'UP' }),
    line: 'POST /comments/posts/cmt_1/vote',
    body: { vote: 'UP' },
    data: done,
  },
  reportPost: {
    act: (client) => client.reportPost({ postId: 'cmt_1', reason: 'advertising' }),
    line: 'POST /comments/posts/cmt_1/report',
    body: { reason: 'advertising' },
    data: done,
  },
  deletePost: {
    act: (client) => client.deletePost({ postId: 'cmt_1' }),
    line: 'DELETE /comments/posts/cmt_1',
    data: { id: 'cmt_1' },
  },
  createThread: {
    act: (client) => client.createThread({ postId: 'cmt_1', content: 'Indeed.' }),
    line: 'POST /comments/threads',
    body: { postId: 'cmt_1', content: 'Indeed.' },
    data: { ...wirePost, _count: { Threads: 0, likedBy: 0 } },
  },
  updateThread: {
    act: (client) => client.updateThread({ threadId: 'cmt_2', content: 'Quite.' }),
    line: 'PATCH /comments/threads/cmt_2/update',
    body: { content: 'Quite.' },
    data: { ...wirePost, _count: { Threads: 0, likedBy: 0 } },
  },
  threadVote: {
    act: (client) => client.threadVote({ threadId: 'cmt_2', vote: 'NONE' }),
    line: 'POST /comments/threads/cmt_2/vote',
    body: { vote: 'NONE' },
    data: done,
  },
  reportThread: {
    act: (client) => client.reportThread({ threadId: 'cmt_2', reason: 'rude' }),
    line: 'POST /comments/threads/cmt_2/report',
    body: { reason: 'rude' },
    data: done,
  },
  deleteThread: {
    act: (client) => client.deleteThread({ threadId: 'cmt_2' }),
    line: 'DELETE /comments/threads/cmt_2',
    data: { id: 'cmt_2' },
  },
  postIsTyping: {
    act: (client) => client.postIsTyping({ channelKey: 'memo' }),
    line: 'POST /comments/posts/typing',
    body: { channelKey: 'memo' },
    data: done,
  },
})
