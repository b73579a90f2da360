import { z } from 'zod'
import { memoSchema } from './memos.ts'

/** The one event of the live feed, a JSON text frame on `/socket`. */
export const newMemoEvent = z.object({
  event: z.literal('NEW_MEMO'),
  data: memoSchema.extend({ date: z.string().describe('MM-DD-YY'), time_stamp: z.string() }),
})
export type NewMemoEvent = z.infer<typeof newMemoEvent>
