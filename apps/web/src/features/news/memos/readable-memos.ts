import { type Memo, memoSchema } from '@tidings/contracts/editions'
import * as z from 'zod/mini'

/** An edition's reply, whose memos are parsed one by one: an invalid one hides no other. */
export const unparsedMemos = z.array(z.unknown())

/** Returns the memos that match the contract, and the error of the first that doesn't. */
export function readableMemos(memos: readonly unknown[]): { readable: Memo[]; error: unknown } {
  const results = memos.map((memo) => memoSchema.safeParse(memo))
  return {
    readable: results.flatMap(({ data }) => (data === undefined ? [] : [data])),
    error: results.find(({ success }) => !success)?.error,
  }
}
