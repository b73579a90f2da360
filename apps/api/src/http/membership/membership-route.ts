import type { ZodType } from 'zod'

type Schemas = {
  reply: ZodType
  body?: ZodType
  querystring?: ZodType
  params?: ZodType
  description?: string
}

/** Returns the options of a membership route that visitors may call, under a section of the API reference. */
export function publicRoute<Given extends Schemas>(section: string, summary: string, given: Given) {
  return { config: { access: 'public' as const }, schema: toSchema(section, summary, given) }
}

/** Returns the options of a membership route for logged-in members. */
export function memberRoute<Given extends Schemas>(section: string, summary: string, given: Given) {
  return { config: { access: 'member' as const }, schema: toSchema(section, summary, given) }
}

function toSchema<Given extends Schemas>(section: string, summary: string, { reply, ...schemas }: Given) {
  const response: { 200: Given['reply'] } = { 200: reply }
  return { tags: [`Membership: ${section}`], summary, ...schemas, response }
}

/** Returns a response body with a message for the reader. */
export function withMessage<Data>(data: Data, message: string) {
  return { data, _internalUseOnly: { message } }
}
