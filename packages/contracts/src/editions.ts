import { z } from 'zod'

/** Reply of `GET /edition/prod/get_time_list/{date}`. */
export const timeListReply = z.object({
  date: z.string().describe('MM-DD-YY'),
  timeStamp: z.array(z.string()).describe('Slots with a published edition, in order of time'),
})
export type TimeList = z.infer<typeof timeListReply>

/** Reply of `GET /edition/prod/get_list`: every published edition, newest first. */
export const archiveListReply = z.array(z.object({ date: z.string(), time_stamp: z.string() }))
export type ArchiveList = z.infer<typeof archiveListReply>

/** What an edition is at the moment. */
export const editionStatus = z.enum(['draft', 'scheduled', 'published', 'held'])
