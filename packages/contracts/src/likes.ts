import * as z from 'zod/mini'

/** Body of `POST /edition/update_counter`: `add` adds or removes the like. */
export const likeMemoRequest = z.object({
  id: z.uuid("must be a memo's _id"),
  add: z.boolean('must be true or false'),
})
export type LikeMemoRequest = z.infer<typeof likeMemoRequest>

/** Its reply: the memo's new number of likes. */
export const likeMemoReply = z.object({ id: z.string(), counter: z.int() })
export type LikeMemoReply = z.infer<typeof likeMemoReply>
