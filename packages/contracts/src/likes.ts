import { z } from 'zod'

/** Body of `POST /edition/update_counter`: `add` true likes, false takes the like back. */
export const likeMemoRequest = z.object({
  id: z.uuid("must be a memo's _id"),
  add: z.boolean('must be true or false'),
})
export type LikeMemoRequest = z.infer<typeof likeMemoRequest>

/** Its reply: the memo's number of likes afterwards. */
export const likeMemoReply = z.object({ id: z.string(), counter: z.number().int() })
export type LikeMemoReply = z.infer<typeof likeMemoReply>
