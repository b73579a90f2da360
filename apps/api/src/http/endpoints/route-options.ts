import type { z } from 'zod'
import type { Access } from './access.ts'

type Schemas = {
  reply: z.core.$ZodType
  body?: z.core.$ZodType
  querystring?: z.core.$ZodType
  params?: z.core.$ZodType
  description?: string
  /** Bodies of failed requests by status, for the API reference. */
  errors?: Readonly<Record<number, z.core.$ZodType>>
}

/** Returns the options of a route: who may call it, its section of the API reference, and its schemas. */
export function routeOptions<const Level extends Access | readonly Access[], Given extends Schemas>(
  access: Level,
  tag: string,
  summary: string,
  { reply, errors, ...schemas }: Given,
) {
  const response: { 200: Given['reply'] } = { ...errors, 200: reply }
  return { config: { access }, schema: { tags: [tag], summary, ...schemas, response } }
}

/** Returns the options of a membership route that visitors may call. */
export function publicRoute<Given extends Schemas>(section: string, summary: string, given: Given) {
  return routeOptions('public', `Membership: ${section}`, summary, given)
}

/** Returns the options of a membership route for logged-in members. */
export function memberRoute<Given extends Schemas>(section: string, summary: string, given: Given) {
  return routeOptions('member', `Membership: ${section}`, summary, given)
}

/** Returns a response body of the membership protocol with a message for the reader. */
export function withMessage<Data>(data: Data, message: string) {
  return { data, _internalUseOnly: { message } }
}
