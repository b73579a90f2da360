import { z } from 'zod'

/** Returns the schema of a reply of the membership protocol and of the desk: `{ "data": … }`. */
export function dataOf<T extends z.ZodType>(data: T) {
  return z.object({ data })
}

/** Returns the same schema with a text for people, in the field where clients read it. */
export function dataWithMessage<T extends z.ZodType>(data: T) {
  return z.object({ data, _internalUseOnly: z.object({ message: z.string() }) })
}

/** Query of a list: `limit` rows, from the `next` of the previous page. */
export const listQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('How many at most'),
  after: z.string().max(100).optional().describe('The `next` of the page before'),
})

/** Returns the schema of a page; `next` is null on the last page. */
export function pageOf<T extends z.ZodType>(schema: T) {
  return z.object({ data: z.array(schema), next: z.string().nullable() })
}
