import { createElement as element, type ReactElement, type ReactNode } from 'react'
import { Body, Container, Head, Heading, Hr, Html, Img, Link, Preview, render, Text } from 'react-email'
import type { DeliveryLinks } from '#features/delivery/links/links-template.ts'
import { emailMeta, emailStyleSheet } from '#features/mail/index.ts'
import {
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
import { styleContent, styles } from './delivery-styles.ts'

// NOTE: Node strips types from these sources but knows no JSX, hence createElement.

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
export async function renderDeliveryHtml(page: DeliveryPage): Promise<string> {
  const { content, preview, site, webStyles } = page
  const day = formatDay(content.date, site.language)
  const isDigest = content.kind === 'digest'
  const meta = { ...emailMeta, ...(webStyles !== null && { robots: 'noindex' }) }
  const memos = content.editions.flatMap((edition) => edition.memos)
  return await render(
    element(
      Html,
      { lang: site.language },
      element(
        Head,
        null,
        element('title', null, `${day} · ${site.name}`),
        ...Object.entries(meta).map(([name, text]) => element('meta', { name, content: text })),
        element('style', null, `${emailStyleSheet}${webStyles ?? ''}`),
      ),
      element(
        Body,
        { className: 'page', style: styles.page },
        element(Preview, { useTitleTag: false, children: preview }),
        element(
          Container,
          { style: styles.column },
          element(
            'div',
            { role: 'main' },
            topElement(page),
            element(Heading, { as: 'h1', className: 'ink', style: styles.day, dir: directionOf(day) }, day),
            element(
              Text,
              { className: 'quiet', style: styles.slot },
              isDigest ? 'EVENING DIGEST' : content.editions[0]?.slot,
            ),
            content.pdf === null ? null : attachmentElement(content.pdf),
            ...content.editions.flatMap(({ slot, memos: ofEdition }) => [
              ...(isDigest ? [slotElement(slot)] : []),
              ...ofEdition.map((memo) => memoElement(memo, memos.indexOf(memo), page)),
            ]),
            ...footer(page),
          ),
        ),
      ),
    ),
  )
}

function topElement({ site, links }: DeliveryPage): ReactElement {
  const [href, label] =
    'webView' in links ? [links.webView, 'View in the browser'] : [site.url.href, `Go to ${site.name}`]
  return element(
    'table',
    { role: 'presentation', width: '100%', cellPadding: 0, cellSpacing: 0 },
    element(
      'tbody',
      null,
      element(
        'tr',
        null,
        element('td', null, element(Text, { className: 'quiet', style: styles.appName }, site.name)),
        element(
          'td',
          { align: 'right' },
          element(Text, { className: 'quiet', style: styles.topLink }, linkElement(href, label)),
        ),
      ),
    ),
  )
}

function attachmentElement({ format, otherUrl }: NonNullable<EmailContent['pdf']>): ReactElement {
  const { purpose, label } = otherPages[format]
  return element(
    Text,
    { className: 'quiet', style: styles.attachment },
    `This edition is attached as a PDF. ${purpose}, `,
    linkElement(otherUrl, label),
    '.',
  )
}

function slotElement(slot: string): ReactElement {
  return element(
    Heading,
    { as: 'h2', className: 'quiet', style: { ...styles.slot, margin: '40px 0 0', fontWeight: 500 } },
    slot,
  )
}

function memoElement(memo: ShownMemo, index: number, { content, links }: DeliveryPage): ReactElement {
  const { title, pictureUrl, mediaTitle, mediaText, isShortened, language } = memo
  const source = sourceOf(memo)
  const dir = directionOfMemo(memo)
  return element(
    'div',
    { id: `memo-${index + 1}`, dir, ...(language !== '' && { lang: language }) },
    element(Hr, { className: 'rule', style: styles.rule }),
    element(
      Heading,
      {
        as: content.kind === 'digest' ? 'h3' : 'h2',
        className: 'ink',
        style: styles.memoTitle,
        dir,
      },
      title,
    ),
    mediaTitle === ''
      ? null
      : element(
          Text,
          { className: 'quiet', style: styles.caption, dir: directionOf(mediaTitle) },
          mediaTitle,
        ),
    pictureUrl === null
      ? null
      : element(Img, { src: pictureUrl, alt: mediaTitle || title, width: 560, style: styles.picture }),
    htmlElement(mediaText, 'quiet', styles.note),
    htmlElement(memo.content, 'ink', styles.body),
    source === null && !isShortened
      ? null
      : element(
          Text,
          { className: 'quiet', style: styles.source },
          isShortened && 'webView' in links
            ? linkElement(`${links.webView}#memo-${index + 1}`, 'Read on')
            : null,
          isShortened && source !== null ? ' · ' : null,
          source === null ? null : linkElement(source.url, source.host),
        ),
  )
}

/** `html` is clean. */
function htmlElement(html: string, className: string, style: object): ReactElement | null {
  if (html === '') return null
  const dir = directionOf(html.replaceAll(/<[^>]*>|&[a-z]+;/g, ''))
  return element('div', { className, style, dir, dangerouslySetInnerHTML: { __html: styleContent(html) } })
}

function footer({ content, omitted, site, links }: DeliveryPage): ReactElement[] {
  const small = (...children: ReactNode[]) =>
    element(Text, { className: 'quiet', style: styles.small }, ...children)
  return [
    ...(omitted === 0 || !('webView' in links)
      ? []
      : [small(linkElement(links.webView, `${omitted} more ${omitted === 1 ? 'memo' : 'memos'}: read on`))]),
    element(Hr, { className: 'rule', style: styles.rule }),
    small(endLine(content)),
    small(
      `${reasonOf(content.kind, site.name)} `,
      ...('account' in links
        ? [linkElement(links.account, 'Change how you receive editions')]
        : [
            linkElement(links.preferences, 'Change how you receive editions'),
            ' or ',
            linkElement(links.unsubscribe, `unsubscribe from ${kindNames[content.kind]}`),
          ]),
      '.',
    ),
    small('Questions? Write to ', linkElement(`mailto:${site.contact}`, site.contact)),
    small(`${site.company}, ${site.postalAddress}`),
  ]
}

function linkElement(href: string, label: string): ReactElement {
  return element(Link, { href, className: 'link', style: styles.link }, label)
}
