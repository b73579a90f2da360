import type { SafeHtml } from '../lib/safe-html.ts'

/** Puts each table into a region of its own that scrolls sideways, by touch or keyboard, when it is wide. */
function withScrollingTables(html: string): string {
  // Cleaned HTML has no `<` outside of its tags, and no table within a table.
  return html
    .replaceAll(
      /<table(?=[ >])/g,
      '<div class="table-scroll" role="region" aria-label="Table" tabindex="0"><table',
    )
    .replaceAll('</table>', '</table></div>')
}

/** Shows HTML that the server cleaned. The only place where HTML reaches the page as HTML. */
export function Prose({ html, className }: { html: SafeHtml; className?: string }) {
  return (
    <div
      className={className === undefined ? 'prose' : `prose ${className}`}
      dangerouslySetInnerHTML={{ __html: withScrollingTables(html.cleanedHtml) }}
    />
  )
}
