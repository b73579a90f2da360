import { useMemo } from 'react'
import { trustedProse } from './prose-policy.ts'
import type { SafeHtml } from './safe-html.ts'

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
  /** Without one, that of its first letter. */
  dir?: 'ltr' | 'rtl' | 'auto'
}

/** Shows HTML that the server sanitized. The only place that inserts HTML into the page. */
export function Prose({ html: { sanitizedHtml }, className, dir = 'auto' }: ProseProps) {
  // The same object each time, so that React doesn't insert the same text again.
  const inserted = useMemo(
    () => ({ __html: trustedProse(withMarkedNumbers(withScrollingTables(sanitizedHtml))) }),
    [sanitizedHtml],
  )
  return (
    <div
      dir={dir}
      className={className === undefined ? 'prose' : `prose ${className}`}
      dangerouslySetInnerHTML={inserted}
    />
  )
}
