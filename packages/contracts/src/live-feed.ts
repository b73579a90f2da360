import * as z from 'zod/mini'
import { memoSchema } from './editions.ts'

/** The one event of the live feed, a JSON text frame on `/socket`. */
export const newMemoEvent = z.object({
  event: z.literal('NEW_MEMO'),
  data: z.extend(memoSchema, {
    date: z.string().check(z.describe('MM-DD-YY')),
    time_stamp: z.string(),
  }),
})
export type NewMemoEvent = z.infer<typeof newMemoEvent>
