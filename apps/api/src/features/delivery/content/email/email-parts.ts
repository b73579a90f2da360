import type { DeliveryLinks } from '#features/delivery/links/signed-links.ts'
import { css, emailDocument, emailStyles, type Style } from '#features/mail/index.ts'
import { type Html, html, rawHtml } from '#platform/html/html.ts'
import { letterText } from '#platform/html/plain-text.ts'
import {
  altTextOf,
  correctionOf,
  type DeliverySite,
  directionOf,
  directionOfMemo,
  type EmailContent,
  type EmailMemo,
  endLine,
  formatDay,
  kindNames,
  otherPages,
  reasonOf,
  sourceOf,
} from '../edition-content.ts'
import { styleContent } from './style-content.ts'

/** A memo that may have been cut. */
export type ShownMemo = EmailMemo & { isShortened: boolean }

export type DeliveryPage = {
  content: Omit<EmailContent, 'editions'> & { editions: { slot: string; memos: ShownMemo[] }[] }
  /** How many memos at the end are left out. */
  omitted: number
  preview: string
  site: DeliverySite
  /** In the browser, the address of the account instead of a member's links. */
  links: DeliveryLinks | { account: string }
  /** Further rules for the page in the browser; null in the email. */
  webStyles: string | null
}

/** The page as an email has it. */
export type EmailPage = DeliveryPage & { links: DeliveryLinks }

/** Renders an edition or a digest as HTML in one column, in the order of its memos. */
export function renderDeliveryHtml(page: DeliveryPage): string {
  const { content, preview, site, webStyles } = page
  const day = formatDay(content.date, site.language)
  const isDigest = content.kind === 'digest'
  const memos = content.editions.flatMap((edition) => edition.memos)
  const editions = content.editions.map(
    ({ slot, memos: ofEdition }) => html`
${isDigest && html`<h2 class="quiet" style="${css(styles.laterSlot)}">${slot}</h2>\n`}${ofEdition.map((memo) => memoHtml(memo, memos.indexOf(memo), page))}`,
  )
  const main = html`<div role="main">
${topHtml(page)}
<h1 class="ink" dir="${directionOf(day)}" style="${css(styles.day)}">${day}</h1>
<p class="quiet" style="${css(styles.slot)}">${isDigest ? 'EVENING DIGEST' : content.editions[0]?.slot}</p>
${content.pdf && attachmentHtml(content.pdf)}${content.correction !== null && correctionHtml(content.correction)}${editions}${footerHtml(page)}
</div>`
  const { column, columnCell } = styles
  return emailDocument({
    language: site.language,
    title: `${day} · ${site.name}`,
    preview,
    column,
    columnCell,
    content: main,
    head:
      webStyles === null
        ? null
        : html`<meta name="robots" content="noindex"/>\n<style>${rawHtml(webStyles)}</style>\n`,
  }).toString()
}

function topHtml({ site, links }: DeliveryPage): Html {
  const link =
    'webView' in links
      ? linkHtml(links.webView, 'View in the browser')
      : linkHtml(site.url.href, `Go to ${site.name}`)
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tbody><tr>
<td><p class="quiet" style="${css(styles.appName)}">${site.name}</p></td>
<td align="right"><p class="quiet" style="${css(styles.topLink)}">${link}</p></td>
</tr></tbody></table>`
}

function attachmentHtml({ format, otherUrl }: NonNullable<EmailContent['pdf']>): Html {
  const { purpose, label } = otherPages[format]
  return html`<p class="quiet" style="${css(styles.attachment)}">This edition is attached as a PDF. ${purpose}, ${linkHtml(otherUrl, label)}.</p>`
}

function correctionHtml(note: string): Html {
  return html`<p class="quiet" dir="${directionOf(note)}" style="${css(styles.attachment)}">${correctionText(note)}</p>`
}

function correctionText(note: string): string {
  return ['We corrected this memo after we had sent it to you.', note].join(' ').trim()
}

function memoHtml(memo: ShownMemo, index: number, { content, site, links }: DeliveryPage): Html {
  const { title, pictureUrl, mediaTitle, mediaText, language } = memo
  const dir = directionOfMemo(memo)
  const heading = html`class="ink" dir="${dir}" style="${css(styles.memoTitle)}"`
  const caption = html`<p class="quiet" dir="${directionOf(mediaTitle)}" style="${css(styles.caption)}">${mediaTitle}</p>\n`
  const picture = html`<img src="${pictureUrl}" alt="${altTextOf(memo)}" width="560" style="${css(styles.picture)}"/>\n`
  return html`<div id="memo-${index + 1}" dir="${dir}"${language !== '' && html` lang="${language}"`}>
<hr class="rule" style="${css(styles.rule)}"/>
${content.kind === 'digest' ? html`<h3 ${heading}>${title}</h3>` : html`<h2 ${heading}>${title}</h2>`}
${[
  mediaTitle !== '' && caption,
  pictureUrl !== null && picture,
  contentHtml(mediaText, 'quiet', styles.note),
  contentHtml(memo.content, 'ink', styles.body),
  noteHtml(memo, site),
  sourceHtml(memo, 'webView' in links ? `${links.webView}#memo-${index + 1}` : null),
]}</div>
`
}

/** Returns the line about the memo's correction, in the direction of the memo. */
function noteHtml(memo: ShownMemo, site: DeliverySite): Html | null {
  const correction = correctionOf(memo, site)
  if (correction === null) return null
  const { start, note } = correction
  return html`<p class="quiet" dir="${directionOfMemo(memo)}" style="${css(styles.source)}">${start} <span dir="${directionOf(note)}">${note}</span></p>\n`
}

/** Returns the links below a memo: to the rest of it, if it was cut, and to its source. */
function sourceHtml(memo: ShownMemo, restUrl: string | null): Html | null {
  const source = sourceOf(memo)
  if (source === null && !memo.isShortened) return null
  const rest = memo.isShortened && restUrl !== null && linkHtml(restUrl, 'Read on')
  const separator = memo.isShortened && source !== null && ' · '
  return html`<p class="quiet" style="${css(styles.source)}">${rest}${separator}${source && linkHtml(source.url, source.host)}</p>\n`
}

/** `source` is clean. */
function contentHtml(source: string, className: string, style: Style): Html | null {
  if (source === '') return null
  const dir = directionOf(source.replaceAll(/<[^>]*>|&[a-z]+;/g, ''))
  return html`<div class="${className}" dir="${dir}" style="${css(style)}">${styleContent(source)}</div>\n`
}

function footerHtml({ content, omitted, site, links }: DeliveryPage): Html {
  const small = (line: Html) => html`<p class="quiet" style="${css(styles.small)}">${line}</p>`
  const more = html`${omitted} more ${omitted === 1 ? 'memo' : 'memos'}: read on`
  const choices =
    'account' in links
      ? linkHtml(links.account, 'Change how you receive editions')
      : html`${linkHtml(links.preferences, 'Change how you receive editions')} or ${linkHtml(links.unsubscribe, `unsubscribe from ${kindNames[content.kind]}`)}`
  return html`${omitted > 0 && 'webView' in links && small(linkHtml(links.webView, more))}
<hr class="rule" style="${css(styles.rule)}"/>
${small(html`${endLine(content)}`)}
${small(html`${reasonOf(content.kind, site.name)} ${choices}.`)}
${small(html`Questions? Write to ${linkHtml(`mailto:${site.contact}`, site.contact)}`)}
${small(html`${site.company}, ${site.postalAddress}`)}`
}

function linkHtml(href: string, label: string | Html): Html {
  return html`<a href="${href}" class="link" style="${css(styles.link)}" target="_blank">${label}</a>`
}

const line = '-'.repeat(40)

/** Renders an edition or a digest as plain text for mail programs that show no HTML. */
export function renderPlainPart({ content, omitted, site, links }: EmailPage): string {
  const isDigest = content.kind === 'digest'
  const name = kindNames[content.kind]
  const heading = isDigest ? 'Evening digest' : (content.editions[0]?.slot ?? '')
  const parts = [
    site.name,
    `${formatDay(content.date, site.language)}\n${heading}`,
    ...(content.pdf === null ? [] : [attachmentText(content.pdf)]),
    ...(content.correction === null ? [] : [correctionText(content.correction)]),
    ...content.editions.flatMap(({ slot, memos }) => [
      ...(isDigest ? [`${line}\n${slot}`] : []),
      ...memos.map((memo) => memoText(memo, { site, webView: links.webView })),
    ]),
    ...(omitted === 0 ? [] : [`${omitted} more in the browser:\n${links.webView}`]),
    line,
    endLine(content),
    `View in the browser:\n${links.webView}`,
    reasonOf(content.kind, site.name),
    `Change how you receive editions:\n${links.preferences}`,
    `Unsubscribe from ${name}:\n${links.unsubscribe}`,
    `Questions? Write to ${site.contact}`,
    `${site.company}, ${site.postalAddress}`,
  ]
  return `${parts.join('\n\n')}\n`
}

function attachmentText({ format, otherUrl }: NonNullable<EmailContent['pdf']>): string {
  const { purpose, label } = otherPages[format]
  return `This edition is attached as a PDF. ${purpose}, ${label}:\n${otherUrl}`
}

function memoText(memo: ShownMemo, { site, webView }: { site: DeliverySite; webView: string }): string {
  const source = sourceOf(memo)
  const correction = correctionOf(memo, site)
  return [
    line,
    memo.title,
    ...pictureLines(memo),
    ...[memo.mediaText, memo.content].map(letterText).filter((text) => text !== ''),
    ...(correction === null ? [] : [`${correction.start} ${isolated(correction.note)}`]),
    ...(memo.isShortened ? [`Read on: ${webView}`] : []),
    ...(source === null ? [] : [`Source: ${source.url}`]),
  ].join('\n\n')
}

/** Keeps the punctuation of a text that is read from the right in its place on a line that isn't. */
function isolated(text: string): string {
  return directionOf(text) === 'rtl' ? `\u2067${text}\u2069` : text
}

/** Returns the alt text and caption of a memo; a caption stands for the alt text until an editor says one. */
function pictureLines({ mediaAlt, mediaTitle, pictureUrl }: ShownMemo): string[] {
  const alt = mediaAlt ?? mediaTitle
  const isShown = mediaAlt === null || pictureUrl !== null
  return [isShown && alt !== '' ? `[Picture: ${alt}]` : '', mediaAlt === null ? '' : mediaTitle].filter(
    (line) => line !== '',
  )
}

const { page, text, title, small, link, rule, appName } = emailStyles

/** The inline styles of the parts of an edition; see the site's memos. */
const styles = {
  page,
  rule: { ...rule, margin: '28px 0 24px' },
  column: { ...emailStyles.column, 'max-width': '608px' },
  columnCell: { padding: '28px 24px 48px' },
  appName: { ...appName, margin: 0 },
  topLink: { ...small, margin: 0, 'text-align': 'end' },
  day: { ...title, margin: '36px 0 4px' },
  slot: { ...small, 'font-size': '13px', 'letter-spacing': '0.12em', 'line-height': '18px', margin: 0 },
  laterSlot: {
    ...small,
    'font-size': '13px',
    'font-weight': 500,
    'letter-spacing': '0.12em',
    'line-height': '18px',
    margin: '40px 0 0',
  },
  memoTitle: { ...title, 'font-size': '22px', 'line-height': '28px', margin: '0 0 10px' },
  caption: { ...small, margin: '0 0 8px' },
  picture: {
    border: 'none',
    'border-radius': '4px',
    display: 'block',
    height: 'auto',
    margin: '0 0 12px',
    outline: 'none',
    'text-decoration': 'none',
    width: '100%',
  },
  note: { ...small, hyphens: 'auto', '-webkit-hyphens': 'auto', margin: '0 0 12px' },
  body: {
    ...text,
    'font-family': title['font-family'],
    'font-size': '18px',
    'line-height': '28px',
    margin: 0,
  },
  attachment: { ...small, margin: '16px 0 0' },
  source: { ...small, margin: '4px 0 0' },
  small,
  link: { ...link, 'word-break': 'normal' },
} satisfies Record<string, Style>
