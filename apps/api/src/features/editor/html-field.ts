import { AppError } from '../../platform/errors.ts'
import { cleanHtml, plainText, type SafeHtml } from '../../platform/html.ts'

/** Cleans a body; throws `invalid-html` when nothing readable is left of it. */
export function cleanBody(field: string, html: string): SafeHtml {
  const clean = cleanHtml(html)
  if (plainText(clean) !== '') return clean
  throw new AppError(
    'invalid-html',
    400,
    `${field}: nothing readable is left after cleaning; text, links, lists, headings and quotations are kept.`,
  )
}
