import { z } from 'zod'
import { editionStatus } from './editions.ts'
import { languageTag } from './language.ts'
import { limits } from './limits.ts'
import { secureContentType } from './membership/secure-content.ts'

/** Scopes of an editor key: `read` sees drafts, `write` changes them, `publish` makes them public. */
export const editorScope = z.enum(['read', 'write', 'publish'])
export type EditorScope = z.infer<typeof editorScope>

const title = z.string().trim().min(1).max(limits.titleCharacters)
const httpUrl = z
  .url({ protocol: /^https?$/, message: 'must be an http or https URL' })
  .max(limits.sourceCharacters)
const mediaFile = z
  .string()
  .regex(/^(|[a-z0-9]{20,40}\.jpg)$/, 'must be a file name from POST /desk/v1/media, or empty')
const html = z.string().max(limits.memoContentCharacters)
const groupKey = z
  .string()
  .regex(/^[0-9a-z][0-9a-z-]{0,99}$/, 'must be lowercase letters, digits and hyphens, such as yearly-plan')
const group = groupKey.nullable().describe("A content group's key; null for none")
const caption = z.string().trim().max(limits.captionCharacters)
const language = z
  .union([z.literal(''), languageTag])
  .describe("BCP 47 language tag, such as ar or pt-BR; empty for the site's language")

/** Returns the schema of a change: any of the keys, and at least one. */
function changeOf<T extends z.ZodRawShape>(keys: T) {
  return z
    .strictObject(keys)
    .partial()
    .refine((change) => Object.keys(change).length > 0, 'names nothing to change')
}

const memoKeys = {
  title,
  memo_content: html.min(1),
  source: z.union([z.literal(''), httpUrl]),
  media: mediaFile,
  media_title: caption,
  media_text: z.string().max(limits.mediaTextCharacters),
  language,
  position: z.int().min(1).max(limits.memosPerEdition),
}

/** A new memo. Its HTML is cleaned. */
export const memoDraft = z.strictObject({
  ...memoKeys,
  source: memoKeys.source.default(''),
  media: mediaFile.default(''),
  media_title: caption.default(''),
  media_text: memoKeys.media_text.default(''),
  language: language.default(''),
  position: memoKeys.position.optional().describe('Place in the edition from 1; without it, the end'),
})
export type MemoDraft = z.infer<typeof memoDraft>

export const memoChange = changeOf(memoKeys)
export type MemoChange = z.infer<typeof memoChange>

export const deskMemo = z.object({
  id: z.string(),
  edition: z.string().describe('Edition key'),
  position: z.number().int(),
  title: z.string(),
  memo_content: z.string(),
  source: z.string(),
  media: z.string(),
  media_title: z.string(),
  media_text: z.string(),
  language: z.string(),
  counter: z.number().int(),
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type DeskMemo = z.infer<typeof deskMemo>

/** The tags, attributes and links that cleaning removed from one HTML field. */
const removedHtml = z.object({
  field: z.string(),
  removed: z
    .array(z.string())
    .describe(
      'Tags such as <script>, attributes such as style, and links to no http, https or mailto address',
    ),
})
export type RemovedHtml = z.infer<typeof removedHtml>

/** The reply to a write with HTML fields: `{ "data": …, "removed": […] }`. */
export function dataWithRemoved<T extends z.ZodType>(data: T) {
  return z.object({
    data,
    removed: z.array(removedHtml).describe('What cleaning removed, by field; empty when it removed nothing'),
  })
}

const deliver = z
  .boolean()
  .optional()
  .describe('Whether members get it. Without it: if its date is today or tomorrow in the zone of the site')

/** Body of `POST /desk/v1/editions/{key}/publish`, which may be empty. */
export const publishRequest = z.strictObject({ deliver }).nullish()

/** What members get of a memo that was added to an edition. */
export const memoDelivery = z
  .enum(['planned', 'too-late', 'none'])
  .describe(
    'planned: it is sent with its edition. too-late: the edition is being sent or was, so this memo is not. none: nothing is sent of its edition',
  )
export type MemoDelivery = z.infer<typeof memoDelivery>

/** Body of `PUT /desk/v1/editions/{key}`. */
export const editionChange = z.strictObject({
  status: z
    .enum(['draft', 'scheduled', 'published'])
    .describe('draft keeps or withdraws it, scheduled publishes it at its slot, published publishes now'),
  deliver,
})
export type EditionChange = z.infer<typeof editionChange>

/** An edition without its memos. */
export const deskEditionSummary = z.object({
  key: z.string(),
  date: z.string().describe('MM-DD-YY'),
  slot: z.string(),
  status: editionStatus,
  heldReason: z.string().nullable().describe('Why it is held; null unless it is'),
  publishAt: z.iso.datetime().describe("The slot's time in the site's zone, as UTC"),
  publishedAt: z.iso.datetime().nullable(),
  memoCount: z.number().int(),
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type DeskEditionSummary = z.infer<typeof deskEditionSummary>

export const deskEdition = deskEditionSummary.extend({ memos: z.array(deskMemo) })
export type DeskEdition = z.infer<typeof deskEdition>

const articleKeys = {
  title,
  memo_content: z.string().min(1).max(limits.articleContentCharacters),
  media: mediaFile,
  media_title: caption,
  language,
  group,
  status: z.enum(['draft', 'published']),
}

/** A new gated article. Its HTML is cleaned. */
export const articleDraft = z.strictObject({
  ...articleKeys,
  media: mediaFile.default(''),
  media_title: caption.default(''),
  language: language.default(''),
  group: group.default(null),
  status: articleKeys.status.default('draft'),
})
export type ArticleDraft = z.infer<typeof articleDraft>

export const articleChange = changeOf(articleKeys)
export type ArticleChange = z.infer<typeof articleChange>

export const deskArticle = z.object({
  id: z.string(),
  title: z.string(),
  memo_content: z.string(),
  media: z.string(),
  media_title: z.string(),
  language: z.string(),
  group: z.string().nullable().describe('Key of the content group whose members may read it'),
  status: z.enum(['draft', 'published']),
  publishedAt: z.iso.datetime().nullable(),
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type DeskArticle = z.infer<typeof deskArticle>

const permissions = listOf(
  z.string().regex(/^[\w:.-]{1,100}$/, 'must be letters, digits, . : _ or -'),
).describe('Any one of them opens it; an empty list requires none')
const plans = listOf(z.string().min(1).max(limits.planIdCharacters)).describe(
  'Plan ids, any one of which opens it; an empty list requires none',
)
const groupName = z.string().trim().min(1).max(limits.groupNameCharacters)
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

/** Body of `PUT /desk/v1/secure-content/{contentId}`, which replaces everything. */
export const secureContentDraft = z.strictObject({
  type: secureContentType,
  content: z
    .string()
    .min(1)
    .max(limits.secureContentCharacters)
    .describe(
      'HTML is cleaned on write. LINK, IMAGE and FILE are http or https URLs; JSON must parse. JS and CSS are kept as written, for the page that requests them.',
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

/** Reply of `POST /desk/v1/media`. */
export const deskMedia = z.object({
  media: z.string().describe('The file name for a memo or article'),
  width: z.number().int(),
  height: z.number().int(),
  bytes: z.number().int().describe('Size of the upload'),
})

export const auditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  editor: z.string().describe('Name of the editor key'),
  action: z.string(),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.infer<typeof auditEntry>

/** Query of a list: `limit` rows, from the `next` of the previous page. */
export const listQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  after: z.string().max(100).optional(),
})

/** Returns the schema of a page; `next` is null on the last page. */
export function pageOf<T extends z.ZodType>(schema: T) {
  return z.object({ data: z.array(schema), next: z.string().nullable() })
}

/** Returns the schema of a list without duplicates. */
function listOf(schema: z.ZodString) {
  return z
    .array(schema)
    .max(limits.accessListEntries)
    .refine((entries) => new Set(entries).size === entries.length, 'must not contain duplicates')
}
