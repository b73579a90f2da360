import { type Memo, memoSchema } from '@tidings/contracts/editions'

/** Returns the memos of an edition's reply that match the contract, and the error of the first that doesn't. */
export function readableMemos(reply: unknown): { readable: Memo[]; error: unknown } {
  if (!Array.isArray(reply)) return { readable: [], error: new TypeError('The reply is no list') }
  const results = reply.map((memo: unknown) => memoSchema.safeParse(memo))
  return {
    readable: results.flatMap(({ data }) => (data === undefined ? [] : [data])),
    error: results.find(({ success }) => !success)?.error,
  }
}
