import * as z from 'zod/mini'

const html = z.string().check(z.describe('HTML'))

/** One item of an edition as readers receive it. HTML fields are sanitized when the editor saves them. */
export const memoSchema = z.object({
  _id: z.string(),
  title: z.string(),
  media: z.string().check(z.describe('Image file name, empty without a picture')),
  media_text: html,
  media_title: z.string().check(z.describe('Caption')),
  memo_content: html,
  source: z.string().check(z.describe('Link')),
  counter: z.int().check(z.describe('Number of likes')),
})
export type Memo = z.infer<typeof memoSchema>

/** Reply of `GET /edition/prod/{date}-{timestamp}`. */
export const editionReply = z.array(memoSchema)
