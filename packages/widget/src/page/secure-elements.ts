import type { MembershipClient } from '@tidings/client'
import { fillElement } from './fill-element.ts'
import type { PageMember } from './shown-content.ts'

const secureElements = '[data-membership-secure]'

/** Fills the page's elements with secure content. Without a session they are empty. */
export function createSecureElements({ getSecureContent }: Pick<MembershipClient, 'getSecureContent'>) {
  /** The content of each element, now or soon: the content id and the access that it was requested with. */
  const shown = new WeakMap<Element, string>()
  const failed = new Set<Element>()

  async function fill(element: HTMLElement, contentId: string, request: string): Promise<void> {
    const isCurrent = () => shown.get(element) === request
    try {
      const { data } = await getSecureContent({ contentId })
      if (isCurrent()) fillElement(element, data, contentId)
    } catch (error) {
      if (!isCurrent()) return
      element.replaceChildren()
      if (codeOf(error) !== 'access-denied') failed.add(element)
    }
  }

  return {
    /** Lets `follow` request the content again that couldn't be loaded. */
    forgetFailures(): void {
      for (const element of failed) shown.delete(element)
      failed.clear()
    },

    /** Fills the elements anew when the member, or what opens content to the member, has changed. */
    follow(member: PageMember | null): void {
      for (const element of document.querySelectorAll<HTMLElement>(secureElements)) {
        const contentId = element.dataset.membershipSecure ?? ''
        const request = JSON.stringify([contentId, member && accessOf(member)])
        if (shown.get(element) === request) continue
        shown.set(element, request)
        element.replaceChildren()
        if (member !== null && contentId !== '') void fill(element, contentId, request)
      }
    },
  }
}

/** Returns the facts that decide about the access to content. */
function accessOf({ id, permissions, planConnections }: PageMember) {
  return [id, permissions, planConnections.map(({ planId, active }) => [planId, active])]
}

function codeOf(error: unknown): unknown {
  return error instanceof Object && 'code' in error ? error.code : undefined
}
