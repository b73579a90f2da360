import { limits } from '@tidings/contracts/limits'
import { hasVisibleText } from '@tidings/contracts/membership/typed-text'
import { cleanHtml, type SafeHtml } from '#platform/html/clean-html.ts'
import { plainText } from '#platform/html/plain-text.ts'
import { fail } from './comments.errors.ts'
import { typedMarkup } from './typed-markup.ts'

/** Returns a member's text as safe HTML; plain text keeps its line breaks. Throws for empty or long text. */
export function cleanComment(written: string, language = 'en'): SafeHtml {
  if (written.length > limits.commentCharacters) throw fail('invalid-request')
  const html = cleanHtml(typedMarkup(written) ?? asHtml(written), language)
  if (!hasVisibleText(plainText(html))) throw fail('required-field-missing')
  return html
}

/** Converts plain text to HTML. Keeps escapes, because some clients send escaped text, but not `&copy=` in an address. */
function asHtml(text: string): string {
  return text
    .trim()
    .replaceAll('<', '&lt;')
    .replace(/&(?!(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);)/gi, '&amp;')
    .replace(/\r\n?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replaceAll('\n', '<br>')
}
