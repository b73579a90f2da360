import type { Access, Endpoint } from '@tidings/contracts/endpoint'
import type { FastifySchema } from 'fastify'

/** How callers prove their access, by the names of the API reference. */
const security: Readonly<Record<Access, Readonly<Record<string, string[]>>>> = {
  public: {},
  signed: {},
  gate: { gatePass: [] },
  member: { member: [] },
  editor: { editorKey: [] },
}

/** Returns the schemas of an endpoint as Fastify and the API reference read them. */
export function schemaOf(endpoint: Endpoint): FastifySchema {
  const { tag, summary, description, params, query, headers, body, consumes, reply } = endpoint
  const proofs = Object.assign({}, ...[endpoint.access].flat().map((level) => security[level]))
  const ways = endpoint.access === 'editor' ? waysOfEditors(endpoint) : [proofs]
  const replies = reply === undefined ? [] : (endpoint.statuses ?? [200]).map((status) => [status, reply])
  const response = { ...endpoint.errors, ...Object.fromEntries(replies) }
  return {
    tags: [tag],
    summary,
    ...(Object.keys(proofs).length > 0 && { security: ways }),
    ...(description !== undefined && { description }),
    ...(consumes !== undefined && { consumes }),
    ...(params !== undefined && { params }),
    ...(query !== undefined && { querystring: query }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
    ...(Object.keys(response).length > 0 && { response }),
  }
}

/** A person's session is an alternative to a key, and the only way where it is about the person. */
function waysOfEditors(endpoint: Endpoint): Record<string, string[]>[] {
  const isPeopleOnly = 'peopleOnly' in endpoint && endpoint.peopleOnly === true
  return [...(isPeopleOnly ? [] : [{ editorKey: [] }]), { deskSession: [] }]
}
