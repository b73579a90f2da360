import type { MembershipClient } from '@tidings/client'
import type { Modals } from '../dialogs/open-modal.ts'
import { connectActions } from './page-actions.ts'
import { createSecureElements } from './secure-elements.ts'
import { isShownTo, type PageMember } from './shown-content.ts'

/** The services of a page's elements. */
export type PageDeps = {
  calls: Pick<
    MembershipClient,
    'getCurrentMember' | 'getMemberToken' | 'getSecureContent' | 'logout' | 'onAuthChange'
  >
  modals: Pick<Modals, 'openModal' | 'hideModal' | 'load' | 'prepare' | 'knownApp'>
  /** The preferred language of the notices. */
  language?: string | undefined
}

const contents = '[data-membership-content]'
const attributes = ['data-membership-content', 'data-membership-secure']

/**
 * Connects the page's elements: `data-membership` opens a dialog or logs out, `data-membership-content` shows or hides,
 * `data-membership-secure` fills. They follow the session, and elements that are added later are connected too. Returns
 * the function that disconnects them.
 */
export function connectPage({ calls, modals, language }: PageDeps): () => void {
  // Undefined until it is known.
  let member: PageMember | null | undefined = calls.getMemberToken() === undefined ? null : undefined
  const secure = createSecureElements(calls)

  function show(): void {
    for (const element of document.querySelectorAll<HTMLElement>(contents)) {
      const isHidden = member === undefined || !isShownTo(element.dataset.membershipContent ?? '', member)
      if (element.hidden !== isHidden) element.hidden = isHidden
    }
    secure.follow(member ?? null)
  }

  function onMember(next: PageMember | null): void {
    member = next
    show()
    actions.onSession(next !== null)
  }

  function onOnline(): void {
    secure.forgetFailures()
    show()
  }

  const observer = new MutationObserver(show)
  observer.observe(document.documentElement, { childList: true, subtree: true, attributeFilter: attributes })
  const actions = connectActions({ calls, modals, language })
  window.addEventListener('online', onOnline)
  const auth = calls.onAuthChange(onMember)
  show()
  if (member === undefined) {
    // Offline, a member counts as a visitor until the session can be read.
    calls.getCurrentMember({ useCache: true }).then(
      ({ data }) => onMember(data),
      () => onMember(null),
    )
  }

  return () => {
    actions.disconnect()
    observer.disconnect()
    auth.unsubscribe()
    window.removeEventListener('online', onOnline)
  }
}
