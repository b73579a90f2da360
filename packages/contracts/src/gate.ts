import * as z from 'zod/mini'
import { limits } from './limits.ts'

/** Body of `POST /gate`. An empty password is valid here: it is refused with a message of its own. */
export const gateRequest = z.object({
  password: z.string().check(z.maxLength(limits.sitePasswordCharacters)),
})

/** Whether the gate is on, and whether this browser has passed it. */
export const gateReply = z.object({ data: z.object({ on: z.boolean(), passed: z.boolean() }) })
export type GateReply = z.infer<typeof gateReply>

/** Body of `POST /cms/auth/protect`: the phone number or email address as it was typed. */
export const entryBoxRequest = z.object({
  tool: z.string().check(z.minLength(1), z.maxLength(limits.entryBoxCharacters)),
})

/** Its reply, the same whether the contact was known or new. */
export const entryBoxReply = z.object({ kind: z.enum(['email', 'phone']) })
