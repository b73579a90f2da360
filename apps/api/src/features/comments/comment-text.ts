import { limits } from '@tidings/contracts/limits'
import { cleanHtml, plainText, type SafeHtml } from '#platform/html.ts'
import { CommentTooLongError, EmptyCommentError } from './comments.errors.ts'

const shortTags = 'a|b|i|p|q|s|u'
const longTags = [
  'abbr|address|applet|area|article|aside|audio|base|basefont|big|blink|blockquote|body|br|button|canvas|center|cite',
  'code|dd|del|details|dfn|dialog|div|dl|dt|em|embed|fieldset|figure|font|footer|form|frame|frameset|h[1-6]|head|header',
  'hr|html|iframe|image|img|input|ins|isindex|kbd|label|layer|li|link|listing|main|map|mark|marquee|math|menu|meta|nav',
  'noembed|noframes|noscript|object|ol|option|param|picture|plaintext|pre|samp|script|section|select|small|source|span',
  'strike|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|title|tr|track|tt|ul|var|video|wbr|xml|xmp',
].join('|')

// 'a<b and' is a sentence: a tag of one letter must look like one to its end, or have an attribute.
const markup = new RegExp(
  `<(?:/?(?:${longTags})(?=[\\s/>])|/?(?:${shortTags})\\s*/?>|(?:${shortTags})[\\s/]+[^\\s=<>]+\\s*=|!--)`,
  'i',
)

/**
 * What a member wrote, as it may be shown: HTML cleaned; plain text with its lines kept and its `<` as they are.
 * Throws when nothing readable is left, or when it is longer than a comment may be.
 */
export function cleanComment(written: string): SafeHtml {
  if (written.length > limits.commentCharacters) throw new CommentTooLongError()
  const html = cleanHtml(markup.test(written) ? written : asHtml(written))
  // What only separates or formats shows nothing.
  if (!/[^\p{C}\p{Z}]/u.test(plainText(html))) throw new EmptyCommentError()
  return html
}

/** Plain text as HTML. Escapes stay: some clients send text that they have escaped. */
function asHtml(text: string): string {
  return text
    .trim()
    .replaceAll('<', '&lt;')
    .replace(/\r\n?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replaceAll('\n', '<br>')
}
