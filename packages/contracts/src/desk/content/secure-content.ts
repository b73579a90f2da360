import { z } from 'zod'
import { dataOf, listQuery, pageOf } from '../../envelope.ts'
import { limits } from '../../limits.ts'
import { contentId, secureContentType } from '../../membership/secure-content.ts'
import { dataWithRemoved } from '../desk.ts'
import { deskEndpoint } from '../desk-endpoint.ts'
import { group, html, permissions, plans } from '../fields.ts'

/** Body of `PUT /desk/v1/secure-content/{contentId}`, which replaces everything. */
export const secureContentDraft = z.strictObject({
  type: secureContentType,
  content: html
    .min(1)
    .describe(
      `At most ${limits.secureContentCharacters} characters; HTML is cleaned before they are counted. LINK, IMAGE and FILE are http or https URLs; JSON must parse. JS and CSS are kept as written, for the page that requests them.`,
    ),
  permissions: permissions.default([]),
  plans: plans.default([]),
  group: group.default(null),
})
export type SecureContentDraft = z.infer<typeof secureContentDraft>

/** A piece of secure content without its content. */
export const deskSecureContentSummary = z.object({
  contentId: z.string(),
  type: secureContentType,
  permissions: z.array(z.string()),
  plans: z.array(z.string()),
  group: z.string().nullable().describe('Key of the content group that must be open too'),
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type DeskSecureContentSummary = z.infer<typeof deskSecureContentSummary>

export const deskSecureContent = deskSecureContentSummary.extend({ content: z.string() })
export type DeskSecureContent = z.infer<typeof deskSecureContent>

const params = z.object({ contentId })

export const listSecureContents = deskEndpoint(
  { method: 'GET', path: '/desk/v1/secure-content' },
  {
    tag: 'Desk: secure content',
    summary: 'Lists secure content by id, without the content itself',
    scope: 'read',
    query: listQuery.extend({ after: contentId.optional() }),
    reply: pageOf(deskSecureContentSummary),
  },
)

export const getSecureContent = deskEndpoint(
  { method: 'GET', path: '/desk/v1/secure-content/:contentId' },
  {
    tag: 'Desk: secure content',
    summary: 'Returns a piece of secure content',
    description: 'Send the ETag back in If-Match to change it.',
    scope: 'read',
    params,
    reply: dataOf(deskSecureContent),
  },
)

export const putSecureContent = deskEndpoint(
  { method: 'PUT', path: '/desk/v1/secure-content/:contentId' },
  {
    tag: 'Desk: secure content',
    summary: 'Creates or replaces a piece of secure content',
    scope: 'publish',
    description:
      'Members need to satisfy its own permissions and plans, and those of its group. It is live at once, so it needs the scope `publish`. HTML is cleaned; JS and CSS are kept as written, so store only code that the requesting page may run. If-Match is needed when it exists.',
    params,
    body: secureContentDraft,
    ifMatch: 'optional',
    notFound: false,
    reply: dataWithRemoved(deskSecureContent),
    statuses: [200, 201],
  },
)

export const deleteSecureContent = deskEndpoint(
  { method: 'DELETE', path: '/desk/v1/secure-content/:contentId' },
  {
    tag: 'Desk: secure content',
    summary: 'Deletes a piece of secure content',
    scope: 'publish',
    description: 'The audit log keeps the content.',
    params,
    ifMatch: 'required',
    reply: dataOf(z.object({ contentId: z.string() })),
  },
)
