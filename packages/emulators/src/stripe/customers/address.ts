import { emptyable, object, text } from '../protocol/params.ts'

/** The parameters of an address; an empty one unsets its part. */
export const address = object({
  city: emptyable(text).optional(),
  country: emptyable(text).optional(),
  line1: emptyable(text).optional(),
  line2: emptyable(text).optional(),
  postal_code: emptyable(text).optional(),
  state: emptyable(text).optional(),
})
