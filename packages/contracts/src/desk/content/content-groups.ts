import { z } from 'zod'
import { dataOf, listQuery, pageOf } from '../../envelope.ts'
import { describedError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { deskEndpoint } from '../desk-endpoint.ts'
import { changeOf, groupKey, httpUrl, permissions, plans, visibleLine } from '../fields.ts'

const groupName = visibleLine(limits.groupNameCharacters)
const redirect = z
  .union([
    z.literal(''),
    httpUrl,
    z
      .string()
      .max(limits.sourceCharacters)
      .regex(/^\/(?![/\\])[^\s\\\p{Cc}\p{Cs}]*$/u, 'must be a URL, or a path that begins with one slash'),
  ])
  .describe('The page for visitors without access')

const groupKeys = { key: groupKey, name: groupName, permissions, plans, redirect }

export const contentGroupDraft = z.strictObject({
  ...groupKeys,
  permissions: permissions.default([]),
  plans: plans.default([]),
  redirect: redirect.default(''),
})
export type ContentGroupDraft = z.infer<typeof contentGroupDraft>

export const contentGroupChange = changeOf(groupKeys)
export type ContentGroupChange = z.infer<typeof contentGroupChange>

export const deskContentGroup = z.object({
  id: z.string().describe('grp_…'),
  key: z.string(),
  name: z.string(),
  permissions: z.array(z.string()),
  plans: z.array(z.string()),
  redirect: z.string(),
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type DeskContentGroup = z.infer<typeof deskContentGroup>

const params = z.object({ id: z.string().regex(/^grp_[0-9a-z]{24}$/, "must be a content group's id") })

const groupPage = listQuery.extend({
  after: z
    .string()
    .regex(/^[0-9a-z-]{1,100}$/, "must be the 'next' of the page before")
    .optional(),
})
const takenError = describedError('Another group has this key, or the Idempotency-Key was used otherwise')

export const listContentGroups = deskEndpoint(
  { method: 'GET', path: '/desk/v1/content-groups' },
  {
    tag: 'Desk: content groups',
    summary: 'Lists content groups, by key',
    scope: 'read',
    query: groupPage,
    reply: pageOf(deskContentGroup),
  },
)

export const createContentGroup = deskEndpoint(
  { method: 'POST', path: '/desk/v1/content-groups' },
  {
    tag: 'Desk: content groups',
    summary: 'Creates a content group',
    scope: 'publish',
    description:
      'Its content opens to members with any one of its permissions and any one of its plans. Changes take effect at once, so they need the scope `publish`.',
    body: contentGroupDraft,
    reply: dataOf(deskContentGroup),
    statuses: [201],
    errors: { 409: takenError },
  },
)

export const getContentGroup = deskEndpoint(
  { method: 'GET', path: '/desk/v1/content-groups/:id' },
  {
    tag: 'Desk: content groups',
    summary: 'Returns a content group',
    scope: 'read',
    params,
    reply: dataOf(deskContentGroup),
  },
)

export const changeContentGroup = deskEndpoint(
  { method: 'PATCH', path: '/desk/v1/content-groups/:id' },
  {
    tag: 'Desk: content groups',
    summary: 'Changes a content group, and so who may see its content',
    scope: 'publish',
    params,
    body: contentGroupChange,
    ifMatch: 'required',
    reply: dataOf(deskContentGroup),
  },
)

export const deleteContentGroup = deskEndpoint(
  { method: 'DELETE', path: '/desk/v1/content-groups/:id' },
  {
    tag: 'Desk: content groups',
    summary: 'Deletes a content group',
    scope: 'publish',
    description: 'The group must be empty. The audit log keeps it.',
    params,
    ifMatch: 'required',
    reply: dataOf(z.object({ id: z.string() })),
  },
)
