import type { ReactNode } from 'react'

/**
 * The phone that a wide window shows: 316 by 653 pixels, with a caption and the portrait notice. On a phone it
 * is the window itself; a phone on its side has the notice above the page.
 */
export function PhoneFrame({ children }: { children: ReactNode }) {
  return (
    <div className="stage">
      <p className="portrait-notice portrait-notice-above">Presented in portrait mode. Please turn your phone upright.</p>
      <div className="phone">
        {children}
      </div>
      <div className="stage-caption">
        <p>Designed for mobile</p>
        <p className="portrait-notice">Presented in portrait mode</p>
      </div>
    </div>
  )
}
