import { z } from 'zod'
import { dataOf } from '../../envelope.ts'
import { editorScope } from '../desk.ts'
import { ownerEndpoint } from '../desk-endpoint.ts'
import { visibleLine } from '../fields.ts'
import * as routes from '../routes.ts'

export const deskKey = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes: z.array(editorScope),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
})
export type DeskKey = z.infer<typeof deskKey>

const tag = 'Desk: people'

export const listEditorKeys = ownerEndpoint(routes.listEditorKeys, {
  tag,
  summary: 'Lists the editor keys, without their secrets',
  reply: dataOf(z.array(deskKey)),
})

export const makeEditorKey = ownerEndpoint(routes.makeEditorKey, {
  tag,
  summary: 'Makes an editor key and returns it once',
  description: 'The reply is not kept: a request that repeats the Idempotency-Key makes another key.',
  body: z.strictObject({
    name: visibleLine(100),
    scopes: z
      .array(editorScope)
      .min(1)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'must not contain duplicates'),
  }),
  reply: dataOf(deskKey.extend({ secret: z.string().describe("Copy it now. It isn't shown again.") })),
  statuses: [201],
})

export const revokeEditorKey = ownerEndpoint(routes.revokeEditorKey, {
  tag,
  summary: 'Revokes an editor key, at once',
  params: z.object({ id: z.uuid('must be an id') }),
  reply: dataOf(deskKey),
})
