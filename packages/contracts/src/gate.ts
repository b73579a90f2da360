import * as z from 'zod/mini'
import { limits } from './limits.ts'

/** Body of `POST /gate`. An empty password is valid here, because it has its own error message. */
export const gateRequest = z.object({
  password: z.string().check(z.maxLength(limits.sitePasswordCharacters)),
})

/** Whether the gate is on, and whether this browser has passed it. */
export const gateReply = z.object({ data: z.object({ on: z.boolean(), passed: z.boolean() }) })
export type GateReply = z.infer<typeof gateReply>

/** Body of `POST /cms/auth/protect`: the phone number or email address as the reader typed it. */
export const entryBoxRequest = z.object({
  tool: z.string().check(z.minLength(1), z.maxLength(limits.entryBoxCharacters)),
})

/** Its reply, the same for known and new contacts. */
export const entryBoxReply = z.object({ kind: z.enum(['email', 'phone']) })
