import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import * as routes from './routes.ts'

const html = z.string().check(z.describe('HTML'))

/** One item of an edition as readers receive it. HTML fields are sanitized when the editor saves them. */
export const memoSchema = z.object({
  _id: z.string(),
  title: z.string(),
  media: z.string().check(z.describe('Image file name, empty without a picture')),
  media_text: html,
  media_title: z.string().check(z.describe('Caption')),
  media_alt: z.optional(
    z.string().check(z.describe('Alt text, empty for a decorative picture; only when the editor said it')),
  ),
  media_focus: z.optional(
    z
      .object({ x: z.number(), y: z.number() })
      .check(
        z.describe(
          'The point that cropping keeps, from 0 to 1 of the width and height; only when it is not the center',
        ),
      ),
  ),
  correction: z.optional(
    z
      .object({ note: z.string(), at: z.string() })
      .check(z.describe('What the last correction says, and when it was made; only with a note')),
  ),
  memo_content: html,
  source: z.string().check(z.describe('Link')),
  counter: z.int().check(z.describe('Number of likes')),
  language: z.optional(z.string().check(z.describe('BCP 47; only when the editor set one'))),
})
export type Memo = z.infer<typeof memoSchema>

/** Reply of `GET /edition/prod/{date}-{timestamp}`. */
export const editionReply = z.array(memoSchema)

/** Reply of `GET /edition/prod/get_time_list/{date}`. */
export const timeListReply = z.object({
  date: z.string().check(z.describe('MM-DD-YY')),
  timeStamp: z.array(z.string()).check(z.describe('Slots with a published edition, in order of time')),
})
export type TimeList = z.infer<typeof timeListReply>

/** Reply of `GET /edition/prod/get_list`: every published edition, newest first. */
export const archiveListReply = z.array(z.object({ date: z.string(), time_stamp: z.string() }))
export type ArchiveList = z.infer<typeof archiveListReply>

export const editionStatus = z.enum(['draft', 'scheduled', 'published', 'held'])

/** Body of `POST /edition/update_counter`: `add` adds or removes the like. */
export const likeMemoRequest = z.object({
  id: z.uuid("must be a memo's _id"),
  add: z.boolean('must be true or false'),
})
export type LikeMemoRequest = z.infer<typeof likeMemoRequest>

/** Its reply: the memo's new number of likes. */
export const likeMemoReply = z.object({ id: z.string(), counter: z.int() })
export type LikeMemoReply = z.infer<typeof likeMemoReply>

export const getTimeList = endpoint(routes.getTimeList, {
  access: 'gate',
  tag: 'Editions',
  summary: 'The slots of a day that have a published edition',
  params: z.object({ date: z.string().check(z.describe('MM-DD-YY')) }),
  reply: timeListReply,
})

export const listMemos = endpoint(routes.listMemos, {
  access: 'gate',
  tag: 'Editions',
  summary: 'The memos of a published edition, in order',
  params: z.object({ key: z.string().check(z.describe('MM-DD-YY-slot')) }),
  reply: editionReply,
})

export const listArchive = endpoint(routes.listArchive, {
  access: 'gate',
  tag: 'Editions',
  summary: 'Every published edition, newest first',
  reply: archiveListReply,
})

export const likeMemo = endpoint(routes.likeMemo, {
  access: 'gate',
  tag: 'Likes',
  summary: 'Likes a memo or removes the like',
  description: 'Counts once per reader, even if repeated.',
  body: likeMemoRequest,
  reply: likeMemoReply,
})
