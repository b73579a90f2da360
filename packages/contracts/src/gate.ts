import { z } from 'zod'
import { limits } from './limits.ts'

/** Body of `POST /gate`. An empty password is refused with a text of its own, so it parses. */
export const gateRequest = z.object({ password: z.string().max(limits.sitePasswordCharacters) })

/** Whether the gate is on, and whether this browser has passed it. */
export const gateReply = z.object({ data: z.object({ on: z.boolean(), passed: z.boolean() }) })

/** Body of `POST /cms/auth/protect`: the phone number or e-mail as it was typed. */
export const entryBoxRequest = z.object({ tool: z.string().min(1).max(limits.entryBoxCharacters) })

/** Its reply, the same whether the contact was known or new. */
export const entryBoxReply = z.object({ kind: z.enum(['email', 'phone']) })
