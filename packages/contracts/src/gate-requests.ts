import * as z from 'zod/mini'
import { limits } from './limits.ts'

// Apart from the replies, because only the server parses them and every visit loads what a page imports.

/** Body of `POST /gate`. An empty password is valid here, because it has its own error message. */
export const gateRequest = z.object({
  password: z.string().check(z.maxLength(limits.sitePasswordCharacters)),
})

/** Body of `POST /cms/auth/protect`: the phone number or email address as the reader typed it. */
export const entryBoxRequest = z.object({
  tool: z.string().check(z.minLength(1), z.maxLength(limits.entryBoxCharacters)),
})
