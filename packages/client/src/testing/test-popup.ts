import { onTestFinished, vi } from 'vitest'
import { apiBase } from './fake-api.ts'

/** A blank window in the place of the one that the page opens: says how it was opened, and lets a test act in it. */
export function testPopup() {
  // An earlier popup must not be handed out again.
  if (vi.isMockFunction(window.open)) window.open.mockRestore()
  const popup = window.open('about:blank')
  if (popup === null) throw new Error('No window was opened')
  onTestFinished(() => popup.close())
  const opening = vi.spyOn(window, 'open').mockReturnValue(popup)

  return {
    /** The address that it was opened with. */
    address: () => new URL(String(opening.mock.lastCall?.[0])),
    /** Its size and place, as `width=600`. */
    features: () => String(opening.mock.lastCall?.[2]).split(','),
    /** Posts to the page, by default from the API's origin and the window itself. */
    post(data: unknown, { origin = apiBase, source = popup }: { origin?: string; source?: Window } = {}) {
      window.dispatchEvent(new MessageEvent('message', { data, origin, source }))
    },
    /** The person closes it. */
    close: () => popup.close(),
    isClosed: () => popup.closed,
  }
}
