import * as z from 'zod/mini'

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
