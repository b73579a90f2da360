import { type ReactNode, useLayoutEffect } from 'react'
import { forwardFrameScroll } from './scroll/frame-scroll.ts'

/**
 * In a wide window, a phone of 316 by 653 pixels with a caption and the portrait notice; on a phone, the window
 * itself. In landscape the notice is above the page.
 */
export function PhoneFrame({ children }: { children: ReactNode }) {
  useLayoutEffect(() => forwardFrameScroll(), [])
  return (
    <div className="stage">
      <aside className="portrait-notice portrait-notice-above" aria-label="Screen orientation">
        Presented in portrait mode.<span className="rotate-hint"> Turn your phone upright.</span>
      </aside>
      <div className="phone">{children}</div>
      <aside className="stage-caption" aria-label="About this view">
        <p>Designed for mobile</p>
        <p className="portrait-notice">Presented in portrait mode</p>
      </aside>
    </div>
  )
}
