import { type ReactNode, type Ref, useId } from 'react'

type FoldedSectionProps = {
  title: string
  /** The line that opens it, for a section that moves the focus to it. */
  summaryRef?: Ref<HTMLElement>
  children: ReactNode
}

/** A part of an account screen that opens on a tap. */
export function FoldedSection({ title, summaryRef, children }: FoldedSectionProps) {
  const titleId = useId()
  return (
    <section className="folded-section" aria-labelledby={titleId}>
      <details>
        <summary ref={summaryRef}>
          <h3 id={titleId}>{title}</h3>
        </summary>
        <div className="folded-content">{children}</div>
      </details>
    </section>
  )
}
