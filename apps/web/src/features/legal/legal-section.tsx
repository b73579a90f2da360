import type { ReactNode } from 'react'

/** A section of the legal page, with a heading that can be focused. */
export function LegalSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** Scrolls to a section and focuses it. A link can't, because the hash holds the route. */
export function showSection(id: string): void {
  const heading = document.getElementById(id)
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
