import type { DeliveryContent, PrepareDeliveryEmail } from '#features/delivery/delivery-email.ts'
import type { ReturnAddresses } from '#features/delivery/links/return-addresses.ts'
import {
  type DeliveryLinks,
  linkMarks,
  linksTemplate,
  type SignedLinks,
} from '#features/delivery/links/signed-links.ts'
import { idOf, keyOf } from '#features/editions/index.ts'
import { pageFonts } from '#http/site/small-page.ts'
import type { Attachment, FilledText } from '#integrations/mail/bulk-mailer.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import { dropCutWord } from '#platform/text/cut-text.ts'
import { oneLine } from '#platform/text/one-line.ts'
import { type DeliverySite, type EmailContent, toEmailContent } from '../edition-content.ts'
import type { EditionPdfs } from '../pdf/edition-pdfs.service.ts'
import { listIdOf, subjectOf } from './email-headers.ts'
import {
  type DeliveryPage,
  type EmailPage,
  renderDeliveryHtml,
  renderPlainPart,
  type ShownMemo,
} from './email-parts.ts'

/** An email ready for one member. */
export type FilledEmail = {
  subject: string
  html: FilledText
  text: FilledText
  headers: Record<string, string>
}

// Gmail clips at 102,400 bytes; the links that are filled in take their part of the rest.
const maxTemplateBytes = 92_000
const previewCharacters = 200

/** The site's fonts, for the page in the browser. */
const webStyles = `
@font-face { font-family: Newsreader; font-weight: 200 800; font-display: swap; src: url(${pageFonts.serif.path}) }
@font-face { font-family: Figtree; font-weight: 300 900; font-display: swap; src: url(${pageFonts.sans.path}) }
:target { scroll-margin-top: 16px }
`

type Deps = {
  deliverySite: DeliverySite
  signedLinks: SignedLinks
  returnAddresses: ReturnAddresses
  editionPdfs: Pick<EditionPdfs, 'of'>
}

/** Creates the renderer of emails: it renders each edition or digest once, and fills in the links of each delivery. */
export function createDeliveryEmails(deps: Deps): PrepareDeliveryEmail {
  const { deliverySite, signedLinks, returnAddresses, editionPdfs } = deps
  return async (content, { methods, pdf: attached }) => {
    const shown = toEmailContent(content, { methods, attached }, signedLinks)
    const fill = prepareDeliveryEmail(shown, deliverySite)
    const pdf = attached === null ? {} : await attachmentOf(content, attached)
    return ({ deliveryId, memberId, linkVersion }) => {
      const email = fill(signedLinks.ofDelivery(deliveryId, { memberId, methods, linkVersion }))
      return {
        ...email,
        ...pdf,
        headers: { ...email.headers, ...returnAddresses.headerOf(deliveryId) },
        envelopeFrom: returnAddresses.of(deliveryId),
      }
    }
  }

  async function attachmentOf(
    content: DeliveryContent,
    format: PdfFormat,
  ): Promise<{ attachment: Attachment }> {
    const bytes = await editionPdfs.of(content, format)
    const names = content.editions.map(({ edition }) => `${keyOf(idOf(edition))}.pdf`)
    return { attachment: { name: names[0] ?? '', type: 'application/pdf', bytes } }
  }
}

/** Renders an email once for all members. The returned function fills in the links of one. */
export function prepareDeliveryEmail(
  content: EmailContent,
  site: DeliverySite,
): (links: DeliveryLinks) => FilledEmail {
  const page = { ...pageOf(content, site), links: linkMarks, webStyles: null }
  const { html, fitted } = fitHtml(page)
  const fillHtml = linksTemplate(html)
  const fillText = linksTemplate(renderPlainPart(fitted))
  const subject = subjectOf(content, site)
  // Memos stay in their list, with or without a PDF.
  const listId = listIdOf(site, content.kind === 'memo-and-pdf' ? 'memo' : content.kind)
  return (links) => ({
    subject,
    html: fillHtml(links),
    text: fillText(links),
    headers: {
      'List-Id': listId,
      'List-Unsubscribe': `<${links.unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  })
}

/** Renders the whole content as a page for the browser. It may be passed on, so it has no link that changes anything. */
export function renderWebView(content: EmailContent, site: DeliverySite, account: URL): string {
  return renderDeliveryHtml({ ...pageOf(content, site), links: { account: account.href }, webStyles })
}

function pageOf(content: EmailContent, site: DeliverySite): Omit<DeliveryPage, 'links' | 'webStyles'> {
  const editions = content.editions.map(({ slot, memos }) => ({
    slot,
    memos: memos.map((memo) => ({ ...memo, title: oneLine(memo.title), isShortened: false })),
  }))
  const titles = editions.flatMap(({ memos }) => memos.map(({ title }) => title)).join(' · ')
  return {
    content: { ...content, editions },
    omitted: 0,
    preview: [...titles].slice(0, previewCharacters).join(''),
    site,
  }
}

/** Cuts the longest memos, then leaves out the last ones, until the page fits. */
function fitHtml(whole: EmailPage): { html: string; fitted: EmailPage } {
  const sizes = memosOf(whole).map(({ content }) => Buffer.byteLength(content))
  let bodyBytes = sizes.reduce((sum, size) => sum + size, 0)
  let count = sizes.length
  for (;;) {
    const fitted = shortenPage(whole, fairShare(sizes, bodyBytes), count)
    const html = renderDeliveryHtml(fitted)
    const bytes = Buffer.byteLength(html)
    if (bytes <= maxTemplateBytes || count === 0) return { html, fitted }
    if (bodyBytes === 0) count = Math.max(0, Math.floor((count * maxTemplateBytes) / bytes) - 1)
    // Styles and tags that end later make the rest a little longer.
    bodyBytes = Math.min(bodyBytes - (bytes - maxTemplateBytes) - 500, bodyBytes * 0.95)
    if (bodyBytes < 200 * sizes.length) bodyBytes = 0
  }
}

function memosOf({ content }: DeliveryPage): ShownMemo[] {
  return content.editions.flatMap(({ memos }) => memos)
}

function shortenPage(page: EmailPage, maxBytes: number, count: number): EmailPage {
  const kept = new Set(memosOf(page).slice(0, count))
  const editions = page.content.editions.map(({ slot, memos }) => ({
    slot,
    memos: memos.filter((memo) => kept.has(memo)).map((memo) => shortenMemo(memo, maxBytes)),
  }))
  const content = { ...page.content, editions: editions.filter(({ memos }) => memos.length > 0) }
  return { ...page, content, omitted: memosOf(page).length - count }
}

function shortenMemo(memo: ShownMemo, maxBytes: number): ShownMemo {
  const content = shortenHtml(memo.content, maxBytes)
  const mediaText = shortenHtml(memo.mediaText, Math.min(maxBytes, 2_000))
  return {
    ...memo,
    content,
    mediaText,
    isShortened: content !== memo.content || mediaText !== memo.mediaText,
  }
}

const voidTags = new Set(['br', 'hr'])
const ellipsis = '…'

/**
 * Cuts clean HTML to at most `maxBytes` (and a few for the end), between words and with every element closed.
 * Returns it whole where it fits.
 */
export function shortenHtml(html: string, maxBytes: number): string {
  if (Buffer.byteLength(html) <= maxBytes) return html
  const open: { tag: string; start: number; end: number }[] = []
  let kept = ''
  let room = maxBytes
  for (const [token, slash, tag] of html.matchAll(/<(\/?)([a-z\d]+)[^>]*>|[^<]+/g)) {
    if (tag === undefined) {
      const text = shortenText(token, room)
      kept += text
      room -= Buffer.byteLength(text)
      if (text !== token) break
    } else if (slash === '/') {
      kept += token
      open.pop()
    } else {
      // Its end tag has its place from the start.
      const cost = Buffer.byteLength(token) + (voidTags.has(tag) ? 0 : tag.length + 3)
      if (cost > room) break
      const start = kept.length
      kept += token
      room -= cost
      if (!voidTags.has(tag)) open.push({ tag, start, end: kept.length })
    }
  }
  for (const { tag, start, end } of open.reverse()) {
    kept = kept.length === end ? kept.slice(0, start) : `${kept}</${tag}>`
  }
  return kept
}

/** Cuts a text, plain or escaped, to at most `maxBytes` and an ellipsis: between words, or between letters of a long word. */
export function shortenText(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  let kept = ''
  let bytes = 0
  for (const [letter] of text.matchAll(/&[a-z]+;|./gsu)) {
    bytes += Buffer.byteLength(letter)
    if (bytes > maxBytes) break
    kept += letter
  }
  return dropCutWord(kept) + ellipsis
}

/** Returns the largest size per part that keeps the sum of all parts within `total`. */
export function fairShare(sizes: readonly number[], total: number): number {
  let room = total
  const ascending = [...sizes].sort((a, b) => a - b)
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(room / (ascending.length - index))
    if (size > share) return share
    room -= size
  }
  return Number.POSITIVE_INFINITY
}
