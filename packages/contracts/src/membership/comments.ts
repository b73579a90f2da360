import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { dataOf } from '../envelope.ts'
import { describedError } from '../errors.ts'
import { limits } from '../limits.ts'
import * as routes from './routes.ts'

export const voteSchema = z.enum(['UP', 'DOWN', 'NONE'])
export type Vote = z.infer<typeof voteSchema>

/** The author, with only the custom fields that the app marks public. */
const authorSchema = z.object({
  id: z.string(),
  customFields: z.record(z.string(), z.unknown()),
  profileImage: z.string().nullable(),
})

const commentFields = {
  id: z.string().describe('cmt_…'),
  internalOrder: z.string().describe('A whole number that grows; what `after` takes'),
  createdAt: z.string(),
  content: z.string().describe('Clean HTML'),
  member: authorSchema,
  vote: voteSchema.describe("The asking member's own; NONE for visitors"),
}

/** A post of a channel, with its counts. */
export const postSchema = z.object({
  ...commentFields,
  _count: z.object({ Threads: z.int(), likedBy: z.int(), dislikedBy: z.int() }),
})
export type CommentPost = z.infer<typeof postSchema>

/** A reply to a post. */
export const threadSchema = z.object({
  ...commentFields,
  _count: z.object({ Threads: z.int(), likedBy: z.int() }),
})
export type CommentThread = z.infer<typeof threadSchema>

export const channelKey = z
  .string()
  .min(1)
  .max(limits.channelKeyCharacters)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters or halves of characters')
  .describe("The page's own name for its discussion")

/** Some clients send missing values as text, such as `undefined`. */
function orAbsent<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (given) => (['', 'undefined', 'null'].includes(String(given)) ? undefined : given),
    schema,
  )
}

const page = {
  after: orAbsent(
    z
      .string()
      .regex(/^\d{1,18}$/, 'must be the internalOrder of a comment')
      .optional()
      .describe('internalOrder of the last item of the page before'),
  ),
  order: orAbsent(z.enum(['newest', 'oldest']).default('newest')),
  limit: orAbsent(
    z.coerce
      .number()
      .int()
      .min(1)
      .overwrite((asked) => Math.min(asked, limits.commentsPerPage))
      .default(20)
      .describe(`More than ${limits.commentsPerPage} are taken as ${limits.commentsPerPage}`),
  ),
}

export const channelInfoQuery = z.object({ channelKey })
export const channelInfoReply = dataOf(
  z.object({
    channelKey: z.string(),
    totalCount: z.int(),
    subscription: z.enum(['NONE', 'THREADS_ONLY']).describe("The asking member's; NONE for visitors"),
  }),
)

export const listPostsQuery = z.object({ channelKey, ...page })
export const postsReply = dataOf(z.object({ posts: z.array(postSchema), totalCount: z.int() }))

export const listThreadsQuery = z.object({ postId: z.string(), ...page })
export const threadsReply = dataOf(z.object({ threads: z.array(threadSchema) }))

const content = z
  .string()
  .describe(`HTML, cleaned when it is stored, or plain text; at most ${limits.commentCharacters} characters`)
export const createPostRequest = z.object({ channelKey, content })
export const createThreadRequest = z.object({ postId: z.string(), content })
export const updateCommentRequest = z.object({ content })
export const voteRequest = z.object({ vote: voteSchema })
/** Body of a report of a comment. */
export const reportRequest = z.object({
  reason: z
    .string()
    .trim()
    .min(1)
    .max(limits.reportReasonCharacters)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be one line')
    .describe("Why, in the reader's words"),
})
export const typingRequest = z.object({ channelKey })
export const manageSubscriptionRequest = z.object({
  channelKey,
  action: z.enum(['NONE', 'THREADS_ONLY']),
})

export const postReply = dataOf(postSchema)
export const threadReply = dataOf(threadSchema)
export const deletedCommentReply = dataOf(z.object({ id: z.string() }))
export const commentDoneReply = dataOf(z.object({ success: z.literal(true) }))

/** Query of `/socket` for a page with comments; without `publicKey` it belongs to the site's own app. */
export const channelSocketQuery = z.object({
  channel: channelKey.optional(),
  publicKey: z.string().max(100).optional().describe("The app's public key"),
})

/** The frame that shows a channel's other readers on `/socket?channel=KEY` that a member is writing. */
export const typingEvent = z.object({
  event: z.literal('TYPING'),
  data: z.object({ channelKey: z.string(), member: authorSchema }),
})
export type TypingEvent = z.infer<typeof typingEvent>

const channelDescription =
  "In the site's app, `article:{id}` asks for what the article asks for: the gate pass, a session and its plan. `edition:{key}` is open while the edition is published. All other channels are public to read."

const writeErrors = {
  400: describedError('The request is invalid; the message says what is expected'),
  401: describedError('No member is logged in'),
  403: describedError(
    "The article of this channel isn't open to the member, or the comment is another member's",
  ),
  404: describedError(
    'The comment does not exist or is hidden from the viewer, or its page is not published',
  ),
  429: describedError('Too many requests'),
}
const { 401: unauthorized, 403: forbidden, 404: notFound } = writeErrors
const readErrors = { 401: unauthorized, 403: forbidden, 404: notFound }
const writing = { access: 'member', tag: 'Membership: comments', errors: writeErrors } as const

export const listPosts = endpoint(routes.listPosts, {
  access: 'public',
  tag: 'Membership: comments',
  summary: 'Lists the posts of a channel, page by page',
  description: channelDescription,
  query: listPostsQuery,
  reply: postsReply,
  errors: readErrors,
})

export const listThreads = endpoint(routes.listThreads, {
  access: 'public',
  tag: 'Membership: comments',
  summary: 'Lists the threads of a post, page by page',
  query: listThreadsQuery,
  reply: threadsReply,
  errors: readErrors,
})

export const getCommentChannel = endpoint(routes.getCommentChannel, {
  access: 'public',
  tag: 'Membership: comments',
  summary: 'Returns a channel; one without posts is empty',
  query: channelInfoQuery,
  reply: channelInfoReply,
  errors: readErrors,
})

export const subscribeToComments = endpoint(routes.subscribeToComments, {
  access: 'member',
  tag: 'Membership: comments',
  summary: "Subscribes the member to a channel's threads, or unsubscribes",
  body: manageSubscriptionRequest,
  reply: commentDoneReply,
  errors: writeErrors,
})

export const announceTyping = endpoint(routes.announceTyping, {
  access: 'member',
  tag: 'Membership: comments',
  summary: 'Shows the readers of a channel that the member is typing',
  description: 'Sends TYPING on `/socket?channel=KEY`, at most once in two seconds.',
  body: typingRequest,
  reply: commentDoneReply,
  errors: writeErrors,
})

export const createPost = endpoint(routes.createPost, {
  ...writing,
  summary: 'Creates a post',
  body: createPostRequest,
  reply: postReply,
})

export const updatePost = endpoint(routes.updatePost, {
  ...writing,
  summary: "Edits one of the member's own posts",
  body: updateCommentRequest,
  reply: postReply,
})

export const votePost = endpoint(routes.votePost, {
  ...writing,
  summary: 'Votes on a post or removes the vote',
  body: voteRequest,
  reply: commentDoneReply,
})

const reporting = {
  ...writing,
  description: 'Once per member and comment: a repeated one changes nothing. Its author is not told.',
  body: reportRequest,
  reply: commentDoneReply,
} as const

export const reportPost = endpoint(routes.reportPost, {
  ...reporting,
  summary: 'Reports a post to the editors',
})

export const reportThread = endpoint(routes.reportThread, {
  ...reporting,
  summary: 'Reports a thread to the editors',
})

export const deletePost = endpoint(routes.deletePost, {
  ...writing,
  summary: "Deletes one of the member's own posts with its threads",
  reply: deletedCommentReply,
})

export const createThread = endpoint(routes.createThread, {
  ...writing,
  summary: 'Replies to a post',
  body: createThreadRequest,
  reply: threadReply,
})

export const updateThread = endpoint(routes.updateThread, {
  ...writing,
  summary: "Edits one of the member's own threads",
  body: updateCommentRequest,
  reply: threadReply,
})

export const voteThread = endpoint(routes.voteThread, {
  ...writing,
  summary: 'Votes on a thread or removes the vote',
  body: voteRequest,
  reply: commentDoneReply,
})

export const deleteThread = endpoint(routes.deleteThread, {
  ...writing,
  summary: "Deletes one of the member's own threads",
  reply: deletedCommentReply,
})
