import { onTestFinished, vi } from 'vitest'
import { apiBase } from './fake-api.ts'

/**
 * Puts a blank window in the place of the one that the page opens, says how it was opened, and lets a test act in it.
 */
export function testPopup() {
  // An earlier popup must not be handed out again.
  if (vi.isMockFunction(window.open)) window.open.mockRestore()
  const popup = window.open('about:blank')
  if (popup === null) throw new Error('No window was opened')
  onTestFinished(() => popup.close())
  const opening = vi.spyOn(window, 'open').mockReturnValue(popup)

  return {
    /** Returns the address that it was opened with. */
    address: () => new URL(String(opening.mock.lastCall?.[0])),
    /** Returns its size and place, as `width=600`. */
    features: () => String(opening.mock.lastCall?.[2]).split(','),
    /** Posts to the page, by default from the API's origin and the window itself. */
    post(data: unknown, { origin = apiBase, source = popup }: { origin?: string; source?: Window } = {}) {
      window.dispatchEvent(new MessageEvent('message', { data, origin, source }))
    },
    /** Closes it, as the person does. */
    close: () => popup.close(),
    isClosed: () => popup.closed,
  }
}
