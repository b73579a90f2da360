import { z } from 'zod'
import { editionStatus } from './editions.ts'
import { limits } from './limits.ts'

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

/** A memo as an editor writes it. HTML is cleaned on write. */
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

/** A change of a memo: only what is named changes. */
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

/** A memo as an editor reads it back. */
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
  status: z.enum(['draft', 'published']).default('draft'),
})
export type ArticleDraft = z.infer<typeof articleDraft>

/** A change of a gated article: only what is named changes. */
export const articleChange = z
  .strictObject({
    title,
    memo_content: z.string().min(1).max(limits.articleContentCharacters),
    media: mediaFile,
    media_title: z.string().trim().max(limits.captionCharacters),
    status: z.enum(['draft', 'published']),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'names nothing to change')
export type ArticleChange = z.infer<typeof articleChange>

/** A gated article as an editor reads it back. */
export const deskArticle = z.object({
  id: z.string(),
  title: z.string(),
  memo_content: z.string(),
  media: z.string(),
  media_title: z.string(),
  status: z.enum(['draft', 'published']),
  publishedAt: z.iso.datetime().nullable(),
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type DeskArticle = z.infer<typeof deskArticle>

/** Reply of `POST /desk/v1/media`. */
export const deskMedia = z.object({
  media: z.string().describe('The file name to put into a memo or article'),
  width: z.number().int(),
  height: z.number().int(),
  bytes: z.number().int().describe('Size of the upload'),
})

/** One line of the audit log. */
export const auditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  editor: z.string().describe('Name of the key that did it'),
  action: z.string(),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.infer<typeof auditEntry>

/** Query of the lists: `limit` a page, `after` the `next` of the page before. */
export const listQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  after: z.string().max(100).optional(),
})

/** Wraps a reply as the desk answers it. */
export function dataOf<T extends z.ZodType>(schema: T) {
  return z.object({ data: schema })
}

/** A page of a list; `next` is null on the last. */
export function pageOf<T extends z.ZodType>(schema: T) {
  return z.object({ data: z.array(schema), next: z.string().nullable() })
}
