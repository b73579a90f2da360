import { emailStyles } from '#features/mail/index.ts'
import { type Html, rawHtml } from '#platform/html/html.ts'

const { small, link, rule } = emailStyles
const { color: quiet } = small
const border = rule['border-top']
// Titles are short, and a hyphen in an address or a code would seem to be part of it.
const unhyphenated = 'hyphens:manual;-webkit-hyphens:manual'

/** The inline styles of a memo's own HTML; fonts and colors are inherited. */
const contentStyles: Readonly<Record<string, string>> = {
  p: 'margin:0 0 14px',
  h2: `font-size:19px;font-weight:600;line-height:26px;margin:22px 0 8px;${unhyphenated}`,
  h3: `font-size:18px;font-weight:600;margin:18px 0 6px;${unhyphenated}`,
  ul: 'margin:0 0 14px;padding-inline-start:22px',
  ol: 'margin:0 0 14px;padding-inline-start:26px',
  li: 'margin:0 0 6px',
  blockquote: `border-inline-start:${border};margin:0 0 14px;padding-inline-start:16px;color:${quiet}`,
  table: 'border-collapse:collapse;font-size:16px;line-height:24px;margin:0 0 14px;width:100%',
  caption: `color:${quiet};font-size:14px;text-align:start`,
  th: `border-top:${border};font-weight:600;padding:6px 12px 6px 0;text-align:start;vertical-align:top`,
  td: `border-top:${border};padding:6px 12px 6px 0;vertical-align:top`,
  a: `color:${link.color};text-decoration:underline;overflow-wrap:anywhere;${unhyphenated}`,
  code: unhyphenated,
  hr: `border:0;border-top:${border};margin:20px 0`,
}

/** The classes that the style sheet gives other colors in the dark. */
const contentClasses: Readonly<Record<string, string>> = {
  a: 'link',
  blockquote: 'quiet rule',
  caption: 'quiet',
  th: 'rule',
  td: 'rule',
  hr: 'rule',
}

// Numbers such as years need more room before the text, or the edge of a phone cuts them.
const longNumber = /<(?:ol|li) [^>]*(?:start|value)="-?\d{3,}"/
const wideList = 'margin:0 0 14px;padding-inline-start:60px'

/** Adds styles and classes to clean HTML, because mail programs ignore rules for elements. */
export function styleContent(html: string): Html {
  const isWide = longNumber.test(html)
  const styled = html.replaceAll(/<([a-z\d]+)(?=[\s>/])/g, (start, tag: string) => {
    const style = tag === 'ol' && isWide ? wideList : contentStyles[tag]
    const names = contentClasses[tag]
    return `${start}${names === undefined ? '' : ` class="${names}"`}${style === undefined ? '' : ` style="${style}"`}`
  })
  return rawHtml(styled)
}
