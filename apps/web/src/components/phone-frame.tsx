import type { ReactNode } from 'react'

/**
 * The phone that a wide window shows: 316 by 653 pixels, with a caption and the portrait notice. On a phone it
 * is the window itself; a phone on its side has the notice above the page.
 */
export function PhoneFrame({ children }: { children: ReactNode }) {
  return (
    <div className="stage">
      <aside className="portrait-notice portrait-notice-above" aria-label="How to hold your phone">
        Presented in portrait mode. Please turn your phone upright.
      </aside>
      <div className="phone">{children}</div>
      <aside className="stage-caption" aria-label="How this page is shown">
        <p>Designed for mobile</p>
        <p className="portrait-notice">Presented in portrait mode</p>
      </aside>
    </div>
  )
}
