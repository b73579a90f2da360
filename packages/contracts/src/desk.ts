import { z } from 'zod'
import { channelKey } from './comments.ts'
import { editionStatus } from './editions.ts'
import { limits } from './limits.ts'
import { secureContentType } from './secure-content.ts'

/** Scopes of an editor key: `read` sees drafts, `write` changes them, `publish` makes them public. */
export const editorScope = z.enum(['read', 'write', 'publish'])
export type EditorScope = z.infer<typeof editorScope>

const title = z.string().trim().min(1).max(limits.titleCharacters)
const httpUrl = z
  .url({ protocol: /^https?$/, message: 'must be an http or https address' })
  .max(limits.sourceCharacters)
const mediaFile = z
  .string()
  .regex(/^(|[a-z0-9]{20,40}\.jpg)$/, 'must be a file name that POST /desk/v1/media answered, or empty')
const html = z.string().max(limits.memoContentCharacters)
const groupKey = z
  .string()
  .regex(/^[0-9a-z][0-9a-z-]{0,99}$/, 'must be small letters, digits and hyphens, such as yearly-plan')
/** The key of the content group; null for none. */
const group = groupKey.nullable().describe("A content group's key; null for none")

/** A memo as an editor writes it. HTML is sanitized on write. */
export const memoDraft = z.strictObject({
  title,
  memo_content: html.min(1),
  source: z.union([z.literal(''), httpUrl]).default(''),
  media: mediaFile.default(''),
  media_title: z.string().trim().max(limits.captionCharacters).default(''),
  media_text: z.string().max(limits.mediaTextCharacters).default(''),
  position: z
    .int()
    .min(1)
    .max(limits.memosPerEdition)
    .optional()
    .describe('Place in the edition from 1; without it, the end'),
})
export type MemoDraft = z.infer<typeof memoDraft>

/** A change of a memo. Missing fields stay as they are. */
export const memoChange = z
  .strictObject({
    title,
    memo_content: html.min(1),
    source: z.union([z.literal(''), httpUrl]),
    media: mediaFile,
    media_title: z.string().trim().max(limits.captionCharacters),
    media_text: z.string().max(limits.mediaTextCharacters),
    position: z.int().min(1).max(limits.memosPerEdition),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'names nothing to change')
export type MemoChange = z.infer<typeof memoChange>

/** A memo as an editor reads it. */
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
  counter: z.number().int(),
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type DeskMemo = z.infer<typeof deskMemo>

/** What sanitizing removed from a field of HTML. */
const removedHtml = z.object({
  field: z.string(),
  removed: z
    .array(z.string())
    .describe(
      'Tags such as <script>, attributes such as style, and links to no http, https or mailto address',
    ),
})
export type RemovedHtml = z.infer<typeof removedHtml>

/** A reply to a write with HTML: `{ "data": …, "removed": […] }`. */
export function dataWithRemoved<T extends z.ZodType>(data: T) {
  return z.object({
    data,
    removed: z.array(removedHtml).describe('What cleaning removed, by field; empty when it removed nothing'),
  })
}

/** Body of `PUT /desk/v1/editions/{key}`. */
export const editionChange = z.strictObject({
  status: z
    .enum(['draft', 'scheduled', 'published'])
    .describe('draft keeps or withdraws it, scheduled publishes it at its slot, published publishes now'),
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

/** An edition with its memos, in order. */
export const deskEdition = deskEditionSummary.extend({ memos: z.array(deskMemo) })
export type DeskEdition = z.infer<typeof deskEdition>

/** A gated article as an editor writes it. */
export const articleDraft = z.strictObject({
  title,
  memo_content: z.string().min(1).max(limits.articleContentCharacters),
  media: mediaFile.default(''),
  media_title: z.string().trim().max(limits.captionCharacters).default(''),
  group: group.default(null),
  status: z.enum(['draft', 'published']).default('draft'),
})
export type ArticleDraft = z.infer<typeof articleDraft>

/** A change of a gated article. Missing fields stay as they are. */
export const articleChange = z
  .strictObject({
    title,
    memo_content: z.string().min(1).max(limits.articleContentCharacters),
    media: mediaFile,
    media_title: z.string().trim().max(limits.captionCharacters),
    group,
    status: z.enum(['draft', 'published']),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'names nothing to change')
export type ArticleChange = z.infer<typeof articleChange>

/** A gated article as an editor reads it. */
export const deskArticle = z.object({
  id: z.string(),
  title: z.string(),
  memo_content: z.string(),
  media: z.string(),
  media_title: z.string(),
  group: z.string().nullable().describe('Key of the content group that says who may read it'),
  status: z.enum(['draft', 'published']),
  publishedAt: z.iso.datetime().nullable(),
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type DeskArticle = z.infer<typeof deskArticle>

const permissions = listOf(
  z.string().regex(/^[\w:.-]{1,100}$/, 'must be letters, digits, . : _ or -'),
).describe('Any one of them opens it; none: it is not asked for')
const plans = listOf(z.string().min(1).max(limits.planIdCharacters)).describe(
  'Ids of plans; any one of them opens it; none: it is not asked for',
)
const groupName = z.string().trim().min(1).max(limits.groupNameCharacters)
const redirect = z
  .union([
    z.literal(''),
    httpUrl,
    z
      .string()
      .max(limits.sourceCharacters)
      .regex(
        /^\/(?![/\\])[^\s\\\p{Cc}\p{Cs}]*$/u,
        'must be an address, or a path that begins with one slash',
      ),
  ])
  .describe('Where somebody without access is led')

/** A content group as an editor writes it. */
export const contentGroupDraft = z.strictObject({
  key: groupKey,
  name: groupName,
  permissions: permissions.default([]),
  plans: plans.default([]),
  redirect: redirect.default(''),
})
export type ContentGroupDraft = z.infer<typeof contentGroupDraft>

/** A change of a content group. Missing fields stay as they are. */
export const contentGroupChange = z
  .strictObject({ key: groupKey, name: groupName, permissions, plans, redirect })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'names nothing to change')
export type ContentGroupChange = z.infer<typeof contentGroupChange>

/** A content group as an editor reads it. */
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
      'HTML is cleaned on write. LINK, IMAGE and FILE are http or https addresses; JSON must parse. JS and CSS are kept as written: they run in the page that asks for them.',
    ),
  permissions: permissions.default([]),
  plans: plans.default([]),
  group: group.default(null),
})
export type SecureContentDraft = z.infer<typeof secureContentDraft>

/** Secure content without its body. */
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

/** Secure content as an editor reads it. */
export const deskSecureContent = deskSecureContentSummary.extend({ content: z.string() })
export type DeskSecureContent = z.infer<typeof deskSecureContent>

/** Reply of `POST /desk/v1/media`. */
export const deskMedia = z.object({
  media: z.string().describe('The file name to put into a memo or article'),
  width: z.number().int(),
  height: z.number().int(),
  bytes: z.number().int().describe('Size of the upload'),
})

/** A post or thread as an editor reads it, even when it is hidden. */
export const deskComment = z.object({
  id: z.string().describe('cmt_…'),
  kind: z.enum(['post', 'thread']),
  appId: z.string(),
  channelKey: z.string(),
  postId: z.string().nullable().describe('The post that a thread answers; null for a post'),
  memberId: z.string().describe('Who wrote it'),
  content: z.string(),
  hidden: z.boolean().describe('It is hidden from everybody'),
  authorHidden: z.boolean().describe('Whatever its author writes is hidden from everybody else'),
  createdAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
})
export type DeskComment = z.infer<typeof deskComment>

/** Body of `PATCH /desk/v1/comments/{id}` and `/desk/v1/comment-authors/{memberId}`. */
export const commentModeration = z.strictObject({ hidden: z.boolean() })

/** A member as the author of comments. */
export const deskCommentAuthor = z.object({
  memberId: z.string(),
  hidden: z.boolean(),
  hiddenAt: z.iso.datetime().nullable().describe('Since when; null unless hidden'),
})
export type DeskCommentAuthor = z.infer<typeof deskCommentAuthor>

/** An entry of the audit log. */
export const auditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  editor: z.string().describe('Name of the key that did it'),
  action: z.string(),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.infer<typeof auditEntry>

/** Query of the lists: `limit` per page, and as `after` the `next` of the previous page. */
export const listQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  after: z.string().max(100).optional(),
})

/** Query of `GET /desk/v1/comments`. */
export const deskCommentQuery = listQuery.extend({
  channelKey: channelKey.optional(),
  memberId: z
    .string()
    .regex(/^mem_[0-9A-Za-z]{1,28}$/, "must be a member's id")
    .optional(),
  hidden: z
    .enum(['true', 'false'])
    .optional()
    .describe('true: only what is hidden, itself or with its author; false: only the rest'),
  after: z
    .string()
    .regex(/^\d{1,18}-\d{1,18}$/, "must be the 'next' of the page before")
    .optional(),
})
export type DeskCommentQuery = z.infer<typeof deskCommentQuery>

/** A page of a list. `next` is null on the last one. */
export function pageOf<T extends z.ZodType>(schema: T) {
  return z.object({ data: z.array(schema), next: z.string().nullable() })
}

/** A list without duplicates. */
function listOf(schema: z.ZodString) {
  return z
    .array(schema)
    .max(limits.accessListEntries)
    .refine((entries) => new Set(entries).size === entries.length, 'names something twice')
}
