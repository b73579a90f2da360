import { z } from 'zod'

/** One item of an edition as readers get it. HTML fields were cleaned when they were written. */
export const memoSchema = z.object({
  _id: z.string(),
  title: z.string(),
  media: z.string().describe('Image file name, empty without a picture'),
  media_text: z.string().describe('HTML'),
  media_title: z.string().describe('Caption'),
  memo_content: z.string().describe('HTML'),
  source: z.string().describe('Link'),
  counter: z.number().int().describe('Number of likes'),
})
export type Memo = z.infer<typeof memoSchema>

/** Reply of `GET /edition/prod/{date}-{timestamp}`. */
export const editionReply = z.array(memoSchema)
