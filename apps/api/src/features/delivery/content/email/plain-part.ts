import { letterText } from '#platform/html/plain-text.ts'
import {
  type EmailContent,
  endLine,
  formatDay,
  kindNames,
  otherPages,
  reasonOf,
  sourceOf,
} from '../edition-content.ts'
import type { EmailPage, ShownMemo } from './delivery-html.ts'

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
    ...content.editions.flatMap(({ slot, memos }) => [
      ...(isDigest ? [`${line}\n${slot}`] : []),
      ...memos.map((memo) => memoText(memo, links.webView)),
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

function memoText(memo: ShownMemo, webView: string): string {
  const source = sourceOf(memo)
  return [
    line,
    memo.title,
    ...(memo.mediaTitle === '' ? [] : [`[Picture: ${memo.mediaTitle}]`]),
    ...[memo.mediaText, memo.content].map(letterText).filter((text) => text !== ''),
    ...(memo.isShortened ? [`Read on: ${webView}`] : []),
    ...(source === null ? [] : [`Source: ${source.url}`]),
  ].join('\n\n')
}
