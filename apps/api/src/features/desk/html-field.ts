import type { RemovedHtml } from '@tidings/contracts/desk'
import { AppError } from '#platform/errors.ts'
import { cleanHtml, listRemoved, plainText, type SafeHtml } from '#platform/html.ts'

/** Lists what cleaning removes from fields of HTML, without the fields that stay whole. */
export function removedFrom(fields: Readonly<Record<string, string | undefined>>): RemovedHtml[] {
  return Object.entries(fields)
    .map(([field, html = '']) => ({ field, removed: listRemoved(html) }))
    .filter(({ removed }) => removed.length > 0)
}

/** Cleans a body; throws `invalid-html` when nothing readable is left of it. */
export function cleanBody(field: string, html: string): SafeHtml {
  const clean = cleanHtml(html)
  if (plainText(clean) !== '') return clean
  throw new AppError(
    'invalid-html',
    400,
    `${field}: nothing readable is left after cleaning; text, links, lists, headings, tables and quotations are kept.`,
  )
}
