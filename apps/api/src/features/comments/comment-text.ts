import { limits } from '@tidings/contracts/limits'
import { cleanHtml, type SafeHtml } from '#platform/html/clean-html.ts'
import { plainText } from '#platform/html/plain-text.ts'
import { fail } from './comments.errors.ts'

const shortTags = 'a|b|i|p|q|s|u'
const longTags = [
  'abbr|address|applet|area|article|aside|audio|base|basefont|big|blink|blockquote|body|br|button|canvas|center|cite',
  'code|dd|del|details|dfn|dialog|div|dl|dt|em|embed|fieldset|figure|font|footer|form|frame|frameset|h[1-6]|head|header',
  'hr|html|iframe|image|img|input|ins|isindex|kbd|label|layer|li|link|listing|main|map|mark|marquee|math|menu|meta|nav',
  'noembed|noframes|noscript|object|ol|option|param|picture|plaintext|pre|samp|script|section|select|small|source|span',
  'strike|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|title|tr|track|tt|ul|var|video|wbr|xml|xmp',
].join('|')

// 'a<b and' is plain text: a one-letter tag must be closed by `>` or have an attribute.
const markup = new RegExp(
  `<(?:/?(?:${longTags})(?=[\\s/>])|/?(?:${shortTags})\\s*/?>|(?:${shortTags})[\\s/]+[^\\s=<>]+\\s*=|!--)`,
  'i',
)

/** Returns a member's text as safe HTML; plain text keeps its line breaks. Throws for empty or long text. */
export function cleanComment(written: string, language = 'en'): SafeHtml {
  if (written.length > limits.commentCharacters) throw fail('invalid-request')
  const html = cleanHtml(markup.test(written) ? written : asHtml(written), language)
  // Separators and control characters alone are no text.
  if (!/[^\p{C}\p{Z}]/u.test(plainText(html))) throw fail('required-field-missing')
  return html
}

/** Converts plain text to HTML. Keeps escapes, because some clients send escaped text. */
function asHtml(text: string): string {
  return text
    .trim()
    .replaceAll('<', '&lt;')
    .replace(/\r\n?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replaceAll('\n', '<br>')
}
