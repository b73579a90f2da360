import * as z from 'zod/mini'

/** Reply of `GET` and `POST /gate`: whether the gate is on, and whether this browser has passed it. */
export const gateReply = z.object({ data: z.object({ on: z.boolean(), passed: z.boolean() }) })
export type GateReply = z.infer<typeof gateReply>

/** Reply of `POST /cms/auth/protect`, the same for known and new contacts. */
export const entryBoxReply = z.object({ kind: z.enum(['email', 'phone']) })
