import * as z from 'zod/mini'
import { memoSchema } from './editions.ts'

const editionKeys = {
  date: z.string().check(z.describe('MM-DD-YY')),
  time_stamp: z.string(),
}
const placedMemo = z.extend(memoSchema, {
  ...editionKeys,
  position: z.int().check(z.describe('Place in the edition, from 1')),
})

/** The event of a memo that readers get for the first time, a JSON text frame on `/socket`. */
export const newMemoEvent = z.object({ event: z.literal('NEW_MEMO'), data: placedMemo })
export type NewMemoEvent = z.infer<typeof newMemoEvent>

/** A correction of a published memo, or its new position. */
const memoChangedEvent = z.object({ event: z.literal('MEMO_CHANGED'), data: placedMemo })

/** A memo that readers may no longer see. */
const memoWithdrawnEvent = z.object({
  event: z.literal('MEMO_WITHDRAWN'),
  data: z.object({ _id: z.string(), ...editionKeys }),
})

/** Every event about memos. */
export const memoEvent = z.discriminatedUnion('event', [newMemoEvent, memoChangedEvent, memoWithdrawnEvent])
export type MemoEvent = z.infer<typeof memoEvent>
