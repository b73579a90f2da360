import type { DeliveryContent } from '#features/delivery/delivery-email.ts'
import { dashboardPath } from '#features/delivery/links/dashboard-path.ts'
import { idOf } from '#features/editions/index.ts'
import type { MemoRow } from '#features/memos/index.ts'
import type { PdfDocument, PdfFormat, PdfMemo } from '#integrations/pdf/pdf-document.ts'
import { oneLine } from '#platform/text/one-line.ts'
import {
  altTextOf,
  correctionOf,
  type DeliverySite,
  directionOf,
  directionOfMemo,
  endLine,
  formatDay,
  sourceOf,
  titleOf,
} from '../edition-content.ts'
import { languageOf } from './pdf-language.ts'
import { toPdfElements } from './to-pdf-elements.ts'

/** Converts an edition or a digest to its document. `pictures` are those that are still stored. */
export function toPdfDocument(
  content: DeliveryContent,
  { site, format, pictures }: { site: DeliverySite; format: PdfFormat; pictures: ReadonlySet<string> },
): PdfDocument {
  const isDigest = content.kind === 'digest'
  const day = formatDay(content.date, site.language)
  const editions = content.editions.map(({ edition, memos }) => ({
    slot: idOf(edition).slot,
    memos: memos.map((memo) => toPdfMemo(memo, { site, pictures })),
  }))
  return {
    ...languageOf(site.language),
    dir: directionOf(day),
    format,
    title: `${titleOf({ ...content, editions }, site.language)} · ${site.name}`,
    siteName: site.name,
    day,
    date: content.date,
    heading: isDigest ? 'EVENING DIGEST' : (editions[0]?.slot ?? ''),
    isDigest,
    editions,
    end: endLine({ ...content, editions }),
    settings: { url: new URL(dashboardPath, site.url).href, label: 'Change how you receive editions' },
    imprint: `${site.company}, ${site.postalAddress}`,
  }
}

function toPdfMemo(
  memo: MemoRow,
  { site, pictures }: { site: DeliverySite; pictures: ReadonlySet<string> },
): PdfMemo {
  const title = oneLine(memo.title)
  const { mediaFile: file, mediaTitle: caption } = memo
  const correction = correctionOf(memo, site)
  return {
    ...languageOf(memo.language),
    dir: directionOfMemo({ title, language: memo.language }),
    title,
    caption,
    picture:
      file === null ? null : { alt: altTextOf({ ...memo, title }), file: pictures.has(file) ? file : null },
    note: memo.mediaText === '' ? null : toPdfElements(memo.mediaText),
    body: toPdfElements(memo.content),
    correction: correction && { ...correction, dir: directionOf(correction.note) },
    source: sourceOf(memo),
  }
}
