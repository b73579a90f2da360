import type { Modals } from '../dialogs/open-modal.ts'
import { overridesOf } from '../translations/overrides.ts'
import { createNotice, type Notice } from './notice.ts'
import { isWebAddress } from './web-address.ts'

type Deps = {
  modals: Pick<Modals, 'knownApp'>
  /** The preferred language of the notices. */
  language?: string | undefined
}

/** Creates the attempts at what taps ask for. The page shows one notice at a time. */
export function createAttempts({ modals, language }: Deps) {
  let notice: Notice | null = null
  const busy = new Set<HTMLElement>()

  return {
    isBusy: (element: HTMLElement) => busy.has(element),
    closeNotice: () => notice?.close(),
    /**
     * Does what a tap asks for, with a notice while it takes its time. After a failure it leads to the element's address,
     * or says what to do, and returns undefined.
     */
    async attempt<Result>(
      element: HTMLElement,
      failure: Parameters<Notice['fail']>[0],
      act: () => Promise<Result>,
    ): Promise<Result | undefined> {
      notice?.close()
      const own = createNotice(element, {
        language,
        overrides: () => overridesOf({ app: modals.knownApp() }),
      })
      notice = own
      busy.add(element)
      try {
        const result = await act()
        own.close()
        return result
      } catch {
        const address = element.dataset.fallback ?? element.getAttribute('href') ?? ''
        if (!leads(address)) own.fail(failure)
        else {
          own.close()
          location.assign(address)
        }
        return undefined
      } finally {
        busy.delete(element)
      }
    },
  }
}

/** Returns whether an address leads anywhere: `#` is that of a button. */
function leads(address: string): boolean {
  return address !== '' && address !== '#' && isWebAddress(address)
}
