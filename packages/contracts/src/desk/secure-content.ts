import { z } from 'zod'
import { limits } from '../limits.ts'
import { secureContentType } from '../membership/secure-content.ts'
import { group, html, permissions, plans } from './fields.ts'

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
