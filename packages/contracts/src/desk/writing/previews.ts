import { z } from 'zod'
import { gatedArticle } from '../../articles.ts'
import { deliveryPreview, pdfFormat } from '../../delivery/deliveries.ts'
import { editionReply } from '../../editions.ts'
import { dataOf } from '../../envelope.ts'
import { limits } from '../../limits.ts'
import { articleDraft } from '../articles.ts'
import { deskEndpoint } from '../desk-endpoint.ts'
import * as routes from '../routes.ts'
import { unfinished, unsavedEdition, unsavedOfDay } from '../unsaved.ts'

/** A digest, in which one edition is as it stands in the editor. */
const unsavedDigest = z.strictObject({
  date: z.string().describe('MM-DD-YY'),
  unsaved: unsavedOfDay,
})
export type UnsavedDigest = z.infer<typeof unsavedDigest>

const unsavedArticle = articleDraft.omit({ status: true }).extend({
  ...unfinished,
  reader: z
    .union([z.enum(['visitor', 'member']), z.strictObject({ plan: z.string().max(limits.planIdCharacters) })])
    .describe('visitor: not logged in. member: without a plan. {"plan":"…"}: a member with this plan'),
})
export type UnsavedArticle = z.infer<typeof unsavedArticle>

/** Where a preview is, and until when. */
const address = {
  url: z.url().describe('An address that can’t be guessed, for a frame or an object of the desk'),
  expiresAt: z.iso.datetime(),
}

const emailPreview = z.object({ ...address, ...deliveryPreview.pick({ subject: true, text: true }).shape })

const pictures = z
  .record(z.string(), z.url())
  .describe('Signed addresses by file name, which also load pictures that readers can’t fetch yet')

const shared = {
  tag: 'Desk: previews',
  scope: 'read',
  notFound: true,
} as const

const unsavedNote =
  'It stores nothing of the text. Memos may lack any field; their HTML is cleaned as when it is saved. A `note` shows below a memo that readers have, as its correction would.'

export const previewPhone = deskEndpoint(
  { method: 'POST', path: '/desk/v1/preview/phone' },
  {
    ...shared,
    summary: 'Returns unsaved memos as the site gets them',
    description: unsavedNote,
    body: unsavedEdition,
    reply: dataOf(
      z.object({
        date: z.string().describe('MM-DD-YY'),
        time_stamp: z.string().describe('The slot'),
        memos: editionReply,
        pictures,
      }),
    ),
  },
)

export const previewEmail = deskEndpoint(routes.previewEmail, {
  ...shared,
  summary: 'Returns the email of unsaved memos',
  description: `${unsavedNote} The HTML is at an address that works for ten minutes.`,
  body: unsavedEdition,
  reply: dataOf(emailPreview),
})

export const previewSms = deskEndpoint(routes.previewSms, {
  ...shared,
  summary: 'Returns the text of unsaved memos, with its price',
  description: unsavedNote,
  body: unsavedEdition,
  reply: dataOf(
    z.object({
      text: z.string(),
      segments: z.int().describe('Of this text'),
      price: z.object({ amount: z.number(), currency: z.string() }).describe('Of this text'),
      texts: deliveryPreview.shape.texts,
    }),
  ),
})

export const previewPdf = deskEndpoint(routes.previewPdf, {
  ...shared,
  summary: 'Returns the PDF of unsaved memos',
  description: `${unsavedNote} The PDF is at an address that works for ten minutes, for an \`<object>\`.`,
  body: unsavedEdition.extend({ format: pdfFormat.default('phone') }),
  reply: dataOf(z.object({ ...address, bytes: z.int() })),
})

export const previewDigest = deskEndpoint(routes.previewDigest, {
  ...shared,
  summary: 'Returns the digest of a day, with its drafts',
  description: 'Editions in every status, as if they were published.',
  body: unsavedDigest,
  reply: dataOf(emailPreview),
})

export const previewArticle = deskEndpoint(routes.previewArticle, {
  ...shared,
  notFound: false,
  summary: 'Returns an unsaved article as a kind of reader gets it',
  description: 'Who meets a wall gets nothing of the text.',
  body: unsavedArticle,
  reply: dataOf(
    z.object({
      wall: z
        .enum(['log-in', 'plan'])
        .nullable()
        .describe('log-in: a visitor must log in. plan: the member needs another plan. null: it is open'),
      plans: z.array(z.string()).describe('The ids of the plans that open it; empty for every member'),
      article: z.nullable(gatedArticle).describe('Null behind a wall'),
      pictures,
    }),
  ),
})

export const getDraftPicture = deskEndpoint(routes.getDraftPicture, {
  tag: 'Desk: pictures',
  summary: 'Returns a signed address of a picture',
  description: 'It works for some days, also while readers can’t fetch the picture.',
  scope: 'read',
  params: z.object({ file: z.string().max(64) }),
  reply: dataOf(
    z.object({ media: z.string(), width: z.int(), height: z.int(), bytes: z.int(), url: z.url() }),
  ),
})
