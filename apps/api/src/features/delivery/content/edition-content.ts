import type { CalendarDate } from '@tidings/contracts/edition-key'
import { correctedAt, formatCorrectionTime } from '@tidings/contracts/site/correction-line'
import { directionOfLanguage } from '@tidings/contracts/site/text-direction'
import type { SubjectFormat } from '#config/subject-format.ts'
import {
  type EditionRow,
  findEditionById,
  idOf,
  keyOf,
  listPublishedOfDay,
} from '#features/editions/index.ts'
import { listMemos, type MemoRow } from '#features/memos/index.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { Db } from '#platform/database.ts'
import { fromDatabaseDate } from '#platform/database-date.ts'
import { oneLine } from '#platform/text/one-line.ts'
import type { DeliveryContent, MessageParts } from '../delivery-email.ts'
import { listDigestEditions } from '../ledger/digest-editions.repository.ts'
import type { RunRow } from '../ledger/runs.repository.ts'
import type { SignedLinks } from '../links/signed-links.ts'
import { isPdfMethod, isSmsMethod } from '../methods.ts'

/** A memo as an email shows it. Its HTML is clean. */
export type EmailMemo = {
  title: string
  content: string
  source: string
  mediaTitle: string
  /** Empty for a decorative picture; null until an editor says it. */
  mediaAlt: string | null
  mediaText: string
  /** BCP 47; empty for the site's language. */
  language: string
  /** Signed, because mail programs have no gate pass; null without a picture. */
  pictureUrl: string | null
  /** The note of its last correction, and since when it stands there; null without one. */
  note: string
  notedAt: Date | null
}

/** The content of one delivery: an edition, or the editions of a day. */
export type EmailContent = {
  kind: 'memo' | 'pdf' | 'memo-and-pdf' | 'text' | 'digest'
  date: CalendarDate
  /** The PDF that is attached, and the address of the one with the other pages; null without an attachment. */
  pdf: { format: PdfFormat; otherUrl: string } | null
  editions: readonly {
    slot: string
    /** The words of an editor; empty for the first title in the site's format. */
    subject?: string
    memos: readonly EmailMemo[]
  }[]
  /** The editor's note about a correction; null in an edition. */
  correction: string | null
}

/** The facts about the site that every delivery shows. */
export type DeliverySite = {
  name: string
  url: URL
  language: string
  timeZone: string
  company: string
  postalAddress: string
  contact: string
  subjectFormat: SubjectFormat
}

/** Reads the content of a run; null if nothing is published. Leaves out memos that were added after sending began. */
export async function readContent(db: Db, run: RunRow): Promise<DeliveryContent | null> {
  const editions = await readEditions(db, run)
  const delivered = run.startedAt === null ? null : new Set(run.memoIds)
  return await contentOf(db, run.editionId === null ? 'digest' : 'memo', editions, delivered)
}

async function readEditions(db: Db, { editionId, digestDate, state }: RunRow): Promise<EditionRow[]> {
  if (digestDate !== null) {
    const list = state === 'done' ? listPublishedOfDay : listDigestEditions
    return await list(db, fromDatabaseDate(digestDate))
  }
  const edition = editionId === null ? null : await findEditionById(db, editionId)
  return edition?.status === 'published' ? [edition] : []
}

/** Reads the memos of editions, in order; null if there are none. `only` limits them to these ids. */
export async function contentOf(
  db: Db,
  kind: DeliveryContent['kind'],
  editions: readonly EditionRow[],
  only: ReadonlySet<string> | null = null,
): Promise<DeliveryContent | null> {
  const parts = []
  for (const edition of editions) {
    const memos = (await listMemos(db, edition.id)).filter(({ id }) => only === null || only.has(id))
    if (memos.length > 0) parts.push({ edition, memos })
  }
  const [first] = parts
  return first === undefined ? null : { kind, date: idOf(first.edition).date, editions: parts }
}

/** Converts rows to the content of an email or a web view of these methods, with signed addresses for the pictures. */
export function toEmailContent(
  { kind, date, editions, isPreview = false, correction }: DeliveryContent,
  { methods, attached }: { methods: MessageParts['methods']; attached: PdfFormat | null },
  { linkTo }: Pick<SignedLinks, 'linkTo'>,
): EmailContent {
  const [first] = editions
  const other = attached === 'phone' ? 'a4' : 'phone'
  return {
    kind: kindOf(methods) ?? kind,
    date,
    correction: correction ?? null,
    pdf:
      attached === null || first === undefined
        ? null
        : { format: attached, otherUrl: linkTo('pdf', `${keyOf(idOf(first.edition))}~${other}`) },
    editions: editions.map(({ edition, memos }) => {
      const id = idOf(edition)
      const urlOf = (file: string) =>
        isPreview ? linkTo('draft', file) : linkTo('picture', `${keyOf(id)}~${file}`)
      return {
        slot: id.slot,
        subject: edition.subject,
        memos: memos.map((memo) => ({
          ...memo,
          // The email about a correction says it once, above.
          notedAt: memo.note === correction ? null : memo.notedAt,
          pictureUrl: memo.mediaFile === null ? null : urlOf(memo.mediaFile),
        })),
      }
    }),
  }
}

/** Returns the alt text of a memo's picture; by default, its caption or else the title of the memo. */
export function altTextOf({
  mediaAlt,
  mediaTitle,
  title,
}: Pick<EmailMemo, 'mediaAlt' | 'mediaTitle' | 'title'>): string {
  return mediaAlt ?? (mediaTitle || title)
}

/** Returns the line below a corrected memo, in two parts: `Corrected at 3:12 PM:` and the note; null without one. */
export function correctionOf(
  { note, notedAt }: Pick<MemoRow, 'note' | 'notedAt'>,
  { timeZone }: Pick<DeliverySite, 'timeZone'>,
): { start: string; note: string } | null {
  if (notedAt === null) return null
  return { start: `${correctedAt} ${formatCorrectionTime(notedAt, timeZone)}:`, note: oneLine(note) }
}

function kindOf([first, ...others]: MessageParts['methods']): EmailContent['kind'] | null {
  if (others.length > 0) return 'memo-and-pdf'
  if (isSmsMethod(first)) return 'text'
  return isPdfMethod(first) ? 'pdf' : null
}

/** The parts of a content that name it in a text. */
type Named = Pick<EmailContent, 'kind' | 'date'> & { editions: readonly { slot: string }[] }

/** The name of each kind, as in 'Unsubscribe from the evening digest'. */
export const kindNames = {
  memo: 'memos by email',
  pdf: 'PDFs by email',
  'memo-and-pdf': 'memos and PDFs by email',
  text: 'memos by text',
  digest: 'the evening digest',
} as const

/** The links to the other pages of a PDF, by the format that is attached. */
export const otherPages: Readonly<Record<PdfFormat, { purpose: string; label: string }>> = {
  phone: { purpose: 'For printing', label: 'open it in A4' },
  a4: { purpose: 'To read it on a phone', label: 'open it with pages that fit the screen' },
}

/** Returns why a member receives a delivery, as a sentence without its end. */
export function reasonOf(kind: EmailContent['kind'], siteName: string): string {
  return `You’re receiving this ${kind === 'text' ? 'text' : 'email'} because you chose ${kindNames[kind]} at ${siteName}.`
}

/** Returns the day in the site's language: `Friday, November 20`. */
export function formatDay({ year, month, day }: CalendarDate, language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  })
  return format.format(Date.UTC(year, month - 1, day))
}

/** Returns the name of an edition or a digest: `Friday, November 20, 10AM`. */
export function titleOf({ kind, date, editions }: Named, language: string): string {
  const day = formatDay(date, language)
  return kind === 'digest' ? `Evening digest, ${day}` : `${day}, ${editions[0]?.slot}`
}

/** Returns the line below the last memo: an edition has an end. */
export function endLine({ kind, editions }: Pick<Named, 'kind' | 'editions'>): string {
  return kind === 'digest' ? 'That is today. Good night.' : `That is the ${editions[0]?.slot} edition.`
}

/** Returns the address of a memo's source and its host without `www.`; null unless it is a web address. */
export function sourceOf({ source }: Pick<EmailMemo, 'source'>): { url: string; host: string } | null {
  const url = /^https?:\/\//i.test(source) ? URL.parse(source) : null
  return url === null ? null : { url: url.href, host: url.hostname.replace(/^www\./, '') }
}

/** Returns the direction of a memo: that of its language, else of its title. */
export function directionOfMemo({ title, language }: { title: string; language: string }): 'ltr' | 'rtl' {
  return language === '' ? directionOf(title) : directionOfLanguage(language)
}

/** Returns the direction of a text, by its first letter. Mail programs know no `dir="auto"`. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const letter = /\p{L}/u.exec(text)?.[0] ?? ''
  const isRtl = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
  return isRtl.test(letter) ? 'rtl' : 'ltr'
}
