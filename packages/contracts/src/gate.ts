import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import * as routes from './routes.ts'

/** Reply of `GET` and `POST /gate`: whether the gate is on, and whether this browser has passed it. */
export const gateReply = z.object({ data: z.object({ on: z.boolean(), passed: z.boolean() }) })
export type GateReply = z.infer<typeof gateReply>

/** Reply of `POST /cms/auth/protect`, the same for known and new contacts. */
export const entryBoxReply = z.object({ kind: z.enum(['email', 'phone']) })

/** Body of `POST /gate`. An empty password is valid here, because it has its own error message. */
export const gateRequest = z.object({
  password: z.string().check(z.maxLength(limits.sitePasswordCharacters)),
})

/** Body of `POST /cms/auth/protect`: the phone number or email address as the reader typed it. */
export const entryBoxRequest = z.object({
  tool: z.string().check(z.minLength(1), z.maxLength(limits.entryBoxCharacters)),
})

export const getGate = endpoint(routes.getGate, {
  access: 'public',
  tag: 'Gate',
  summary: 'Returns whether the gate is on and passed',
  reply: gateReply,
})

export const passGate = endpoint(routes.passGate, {
  access: 'public',
  tag: 'Gate',
  summary: 'Passes the gate with the site password',
  description: 'Sets a signed session cookie for the content routes.',
  body: gateRequest,
  reply: gateReply,
})

export const enterContact = endpoint(routes.enterContact, {
  access: 'gate',
  tag: 'Gate',
  summary: 'Stores an email address or a phone number',
  body: entryBoxRequest,
  reply: entryBoxReply,
})
