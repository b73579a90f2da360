import { z } from 'zod'

/** A reply of the membership protocol and of the desk: `{ "data": … }`. */
export function dataOf<T extends z.ZodType>(data: T) {
  return z.object({ data })
}

/** The same with a text for people, in the field where clients read it. */
export function dataWithMessage<T extends z.ZodType>(data: T) {
  return z.object({ data, _internalUseOnly: z.object({ message: z.string() }) })
}
