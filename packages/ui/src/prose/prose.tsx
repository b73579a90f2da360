import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { trustedProse } from './prose-policy.ts'
import { replaceChanged } from './replace-changed.ts'
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
  const html = useMemo(
    () => trustedProse(withMarkedNumbers(withScrollingTables(sanitizedHtml))),
    [sanitizedHtml],
  )
  // The same object each time, so that React doesn't insert the whole text again.
  const [inserted] = useState({ __html: html })
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef(html)
  useLayoutEffect(() => {
    if (place.current === null || shown.current === html) return
    shown.current = html
    replaceChanged(place.current, html)
  }, [html])
  return (
    <div
      ref={place}
      dir={dir}
      className={className === undefined ? 'prose' : `prose ${className}`}
      dangerouslySetInnerHTML={inserted}
    />
  )
}
