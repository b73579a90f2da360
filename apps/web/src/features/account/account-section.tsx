import { type ReactNode, type Ref, useId } from 'react'

type AccountSectionProps = {
  title: string
  /** The heading, for a section that moves the focus to it. */
  headingRef?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** A titled part of an account screen. */
export function AccountSection({ title, headingRef, children }: AccountSectionProps) {
  const titleId = useId()
  return (
    <section className="account-section" aria-labelledby={titleId}>
      <h2 id={titleId} ref={headingRef} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}
