import { formatWireDate } from '@tidings/contracts/edition-key'
import { urlOf } from '@tidings/contracts/endpoint'
import { memoPicture } from '@tidings/contracts/routes'
import { correctedAt, formatCorrectionTime } from '@tidings/contracts/site/correction-line'
import { directionOfLanguage } from '@tidings/contracts/site/text-direction'
import { plainText } from '#platform/html/plain-text.ts'
import { dropCutWord } from '#platform/text/cut-text.ts'
import { type EditionId, idOf, keyOf } from '../editions/index.ts'
import type { EditionWithMemos } from './feeds.repository.ts'
import { escapeMarkup } from './markup.ts'

/** An edition as an entry of a feed. */
export type FeedItem = {
  /** Never changes, unlike the address. */
  id: string
  url: string
  title: string
  publishedAt: Date
  updatedAt: Date
  /** The titles and first words of the memos, as HTML. */
  summary: string
  /** The whole memos, as HTML; null in the public feed. */
  content: string | null
}

type Memo = EditionWithMemos['memos'][number]

type ItemOptions = {
  siteUrl: URL
  language: string
  timeZone: string
  isWhole: boolean
  /** Whether pictures load without a gate pass. */
  withPictures: boolean
}

const openingCharacters = 160
const pictureWidth = 720

/** Converts a published edition to an entry. */
export function toFeedItem(edition: EditionWithMemos, options: ItemOptions): FeedItem {
  const id = idOf(edition)
  const publishedAt = edition.publishedAt ?? edition.publishAt
  return {
    id: `urn:uuid:${edition.id}`,
    url: new URL(`/#/edition/${keyOf(id)}`, options.siteUrl).href,
    title: `${formatDay(edition.date, options.language)}, ${id.slot}`,
    publishedAt,
    updatedAt: new Date(Math.max(edition.updatedAt.getTime(), publishedAt.getTime())),
    summary: edition.memos.map(toSummary).join(''),
    content: options.isWhole ? edition.memos.map((memo) => toContent(memo, id, options)).join('') : null,
  }
}

/** Returns the first words of a text, at most 160 characters. */
export function openingOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  if (characters.length <= openingCharacters) return line
  const start = characters.slice(0, openingCharacters).join('')
  return `${dropCutWord(start)}…`
}

function formatDay(date: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(date)
}

function toSummary({ title, content, language }: Memo): string {
  const opening = escapeMarkup(openingOf(plainText(content)))
  return inLanguage(language, `<p><strong>${escapeMarkup(title)}</strong><br />${opening}</p>`)
}

function toContent(memo: Memo, edition: EditionId, options: ItemOptions): string {
  const { title, content, language } = memo
  const { siteUrl, withPictures } = options
  const picture = withPictures ? toPicture(memo, edition, siteUrl) : ''
  return inLanguage(
    language,
    `<h2>${escapeMarkup(title)}</h2>${picture}${content}${toCorrection(memo, options)}${toSource(memo)}`,
  )
}

function toCorrection({ note, notedAt }: Memo, { timeZone }: ItemOptions): string {
  if (notedAt === null) return ''
  const time = formatCorrectionTime(notedAt, timeZone)
  return `<p>${correctedAt} ${time}: <bdi>${escapeMarkup(note)}</bdi></p>`
}

function toPicture(memo: Memo, { date, slot }: EditionId, siteUrl: URL): string {
  const { mediaFile, mediaAlt, mediaTitle, mediaText } = memo
  if (mediaFile === null) return ''
  const params = { date: formatWireDate(date), timestamp: slot, file: mediaFile }
  const url = new URL(urlOf(memoPicture, { params, query: { w: pictureWidth } }), siteUrl)
  const caption = mediaTitle === '' ? '' : `<figcaption>${escapeMarkup(mediaTitle)}</figcaption>`
  return `<figure><img src="${escapeMarkup(url.href)}" alt="${escapeMarkup(mediaAlt ?? '')}" />${caption}</figure>${mediaText}`
}

function toSource({ source }: Memo): string {
  if (!/^https?:/i.test(source) || !URL.canParse(source)) return ''
  const { href, hostname } = new URL(source)
  return `<p><a href="${escapeMarkup(href)}">${escapeMarkup(hostname.replace(/^www\./, ''))}</a></p>`
}

function inLanguage(language: string, html: string): string {
  return language === ''
    ? html
    : `<div lang="${escapeMarkup(language)}" dir="${directionOfLanguage(language)}">${html}</div>`
}
