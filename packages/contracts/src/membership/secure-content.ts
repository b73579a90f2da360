import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { dataOf } from '../envelope.ts'
import * as routes from './routes.ts'

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

export const readSecureContent = endpoint(routes.readSecureContent, {
  access: 'member',
  tag: 'Membership: secure content',
  summary: "Returns secure content that the member's plans open",
  description:
    'The member needs any one of its permissions and any one of its plans, and the same of its content group. HTML was cleaned when an editor wrote it; JS and CSS are returned as written, for the page to run.',
  body: secureContentRequest,
  reply: secureContentReply,
})
