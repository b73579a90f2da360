import type { SafeHtml } from '../lib/prose/safe-html.ts'
import { directionOf } from '../lib/prose/text-direction.ts'

/** Wraps each table in a region that scrolls horizontally, by touch or keyboard, when it is wide. */
function withScrollingTables(html: string): string {
  // Sanitized HTML has no `<` outside of its tags and no nested tables.
  return html
    .replaceAll(
      /<table(?=[ >])/g,
      '<div class="table-scroll" role="region" aria-label="Table" tabindex="0"><table',
    )
    .replaceAll('</table>', '</table></div>')
}

/** Marks lists and items whose numbers, such as years, are too long to stand before the text. */
function withMarkedNumbers(html: string): string {
  return html.replaceAll(/<(?:ol|li)(?=[^>]* (?:start|value)="-?\d{3,}")/g, '$& class="long-number"')
}

type ProseProps = {
  html: SafeHtml
  className?: string
  /** BCP 47; undefined for the site's language. */
  language?: string | undefined
}

/** Shows HTML that the server sanitized. The only place that inserts HTML into the page. */
export function Prose({ html, className, language }: ProseProps) {
  return (
    <div
      dir={directionOf(language)}
      className={className === undefined ? 'prose' : `prose ${className}`}
      dangerouslySetInnerHTML={{ __html: withMarkedNumbers(withScrollingTables(html.sanitizedHtml)) }}
    />
  )
}
