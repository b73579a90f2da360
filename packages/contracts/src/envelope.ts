import { z } from 'zod'

/** Returns the schema of a reply of the membership protocol and of the desk: `{ "data": … }`. */
export function dataOf<T extends z.ZodType>(data: T) {
  return z.object({ data })
}

/** Returns the same schema with a text for people, in the field where clients read it. */
export function dataWithMessage<T extends z.ZodType>(data: T) {
  return z.object({ data, _internalUseOnly: z.object({ message: z.string() }) })
}
