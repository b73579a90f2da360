import { z } from 'zod'
import { dataOf } from '../envelope.ts'

export const secureContentType = z.enum(['HTML', 'CSS', 'LINK', 'JS', 'JSON', 'TEXT', 'IMAGE', 'FILE'])
export type SecureContentType = z.infer<typeof secureContentType>

/** The id of secure content, which an editor chooses. */
export const contentId = z
  .string()
  .regex(
    /^[0-9A-Za-z][0-9A-Za-z._-]{0,99}$/,
    'must be 1 to 100 letters, digits, dots, hyphens or underscores, and begin with a letter or digit',
  )

export const secureContentRequest = z.object({ contentId: z.string().min(1).max(100) })
export const secureContentReply = dataOf(
  z.object({
    content: z.string().describe('As its type says; LINK, IMAGE and FILE are addresses'),
    type: secureContentType,
  }),
)
