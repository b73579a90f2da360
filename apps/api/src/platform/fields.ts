import { hasVisibleText } from '@tidings/contracts/membership/typed-text'
import { balanceBidi } from '@tidings/paste/text/balance-bidi'
import { type AppError, createFail } from './errors.ts'
import { cleanHtml, type SafeHtml } from './html/clean-html.ts'
import { plainText } from './html/plain-text.ts'

/** Maps each key of a wire shape to the function that parses its value into columns. The compiler rejects a missing key. */
export type FieldTable<Wire> = {
  readonly [Key in keyof Wire]-?: (value: Exclude<Wire[Key], undefined>) => object
}

type Fields = Readonly<Record<string, (value: never) => object>>
type Given<T extends Fields> = { [Key in keyof T]: Parameters<T[Key]>[0] }
type Named<T> = { [Key in keyof T]?: T[Key] | undefined }
type Merged<T> = (T extends object ? (each: T) => void : never) extends (each: infer All) => void
  ? All
  : never
type Columns<T extends Fields> = Merged<ReturnType<T[keyof T]>>

/** Returns the columns of the keys that are defined: all columns for a draft, some for a change. */
export function mapDefined<T extends Fields>(draft: Given<T>, fields: T): Columns<T>
export function mapDefined<T extends Fields>(change: Named<Given<T>>, fields: T): Partial<Columns<T>>
export function mapDefined(
  given: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, (value: unknown) => object>>,
): object {
  const columns = Object.entries(fields).map(([key, parse]) =>
    given[key] === undefined ? {} : parse(given[key]),
  )
  return Object.assign({}, ...columns)
}

const fail = createFail({
  'invalid-request': (field: string, reason: string) => [400, `${field}: ${reason}`],
  'invalid-html': (field: string) => [
    400,
    `${field}: no readable text is left after cleaning. Text, links, lists, headings, tables and quotations are kept.`,
  ],
})

/**
 * Returns text as one line, with control characters as spaces and without directions that have no end. Throws
 * `invalid-request` for text that Postgres rejects.
 */
export function singleLine(field: string, text: string): string {
  if (/[\0\p{Cs}]/u.test(text)) throw invalidField(field, 'must not contain NUL or unpaired surrogates')
  return balanceBidi(text.replaceAll(/\p{Cc}+/gu, ' '))
}

/** Returns the text as {@link singleLine} does; empty if nothing of it is visible. */
export function visibleLine(field: string, text: string): string {
  const line = singleLine(field, text)
  return hasVisibleText(line) ? line : ''
}

/** Returns an address as it is. Throws `invalid-request` for control characters and what Postgres rejects. */
export function addressLine(field: string, address: string): string {
  if (!/[\p{Cc}\p{Cs}]/u.test(address)) return address
  throw invalidField(field, 'must not contain control characters or unpaired surrogates')
}

/** A field of HTML: its name, the BCP 47 tag of its language, and how long it can be after cleaning. */
export type HtmlField = { field: string; language: string; maxCharacters: number }

/** Cleans HTML. Throws `invalid-request` when it is still too long. */
export function cleanField(html: string, { field, language, maxCharacters }: HtmlField): SafeHtml {
  const clean = cleanHtml(html, language)
  requireLength(field, clean, maxCharacters)
  return clean
}

/** Cleans the HTML of a body, as {@link cleanField}. Throws `invalid-html` when no readable text is left. */
export function cleanBody(html: string, field: HtmlField): SafeHtml {
  const clean = cleanField(html, field)
  if (plainText(clean) !== '') return clean
  throw fail('invalid-html', field.field)
}

/** Cleans the HTML of a text that may be unfinished, as {@link cleanField}. It is empty when no readable text is left. */
export function cleanUnfinished(html: string, field: HtmlField): string {
  const clean = cleanField(html, field)
  return plainText(clean) === '' ? '' : clean
}

/** Throws `invalid-request` for a longer text. */
export function requireLength(field: string, text: string, maxCharacters: number): void {
  if (text.length <= maxCharacters) return
  const [limit, length] = [maxCharacters, text.length].map((count) => count.toLocaleString('en-US'))
  throw invalidField(
    field,
    `has ${length} characters, but can have at most ${limit}. Shorten or split the text`,
  )
}

/** Returns an `invalid-request` error that names the field. */
export function invalidField(field: string, reason: string): AppError {
  return fail('invalid-request', field, reason)
}
