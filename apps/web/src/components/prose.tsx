import type { SafeHtml } from '../lib/safe-html.ts'

/** Shows HTML that the server cleaned. The only place where HTML reaches the page as HTML. */
export function Prose({ html, className }: { html: SafeHtml; className?: string }) {
  return (
    <div
      className={className === undefined ? 'prose' : `prose ${className}`}
      dangerouslySetInnerHTML={{ __html: html.cleanedHtml }}
    />
  )
}
