import type { MembershipClient } from '@tidings/client'
import type { Modals, ModalType } from '../dialogs/open-modal.ts'
import { overridesOf } from '../translations/overrides.ts'
import { createNotice, type Notice } from './notice.ts'
import { createSecureElements } from './secure-elements.ts'
import { isShownTo, type PageMember } from './shown-content.ts'
import { isWebAddress } from './web-address.ts'

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

const modalTypes = new Map<string, ModalType>([
  ['login', 'LOGIN'],
  ['signup', 'SIGNUP'],
  ['forgot-password', 'FORGOT_PASSWORD'],
  ['profile', 'PROFILE'],
])

const actions = '[data-membership]'
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
  let onLogin: (() => void) | null = null
  let lastTapped: HTMLElement | null = null
  let notice: Notice | null = null
  const busy = new Set<HTMLElement>()
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
    if (next !== null) onLogin?.()
    onLogin = null
  }

  function onOnline(): void {
    secure.forgetFailures()
    show()
  }

  function onClick(event: MouseEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey) return
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>(actions) : null
    const action = element?.dataset.membership ?? ''
    const type = modalTypes.get(action)
    if (element === null || (type === undefined && action !== 'logout')) return
    event.preventDefault()
    lastTapped = element
    if (busy.has(element)) return
    const done =
      type === undefined ? attempt(element, 'logout_failed', calls.logout) : openFrom(type, element)
    done.catch((error: unknown) => globalThis.reportError(error))
  }

  /** Opens a dialog, which the widget itself closes after a login and a logout. A profile needs a login first. */
  async function openFrom(type: ModalType, element: HTMLElement): Promise<void> {
    onLogin = null
    const first = await attempt(element, 'open_failed', async () => {
      await modals.load()
      const isMissingLogin =
        type === 'PROFILE' && (await calls.getCurrentMember({ useCache: true })).data === null
      return isMissingLogin ? 'LOGIN' : type
    })
    if (first === undefined || lastTapped !== element) return
    const { type: result } = await modals.openModal(first)
    // The dialog goes on with its success screen, from where the visitor may log in.
    if (result === 'PASSWORD_RESET') await nextLogin()
    if (result === 'CLOSED') return
    modals.hideModal()
    if (first !== type) await openFrom(type, element)
  }

  /**
   * Runs the action of a tap, with a notice while it takes its time. After a failure it leads to the element's address, or
   * says what to do, and returns undefined.
   */
  async function attempt<Result>(
    element: HTMLElement,
    failure: Parameters<Notice['fail']>[0],
    act: () => Promise<Result>,
  ): Promise<Result | undefined> {
    notice?.close()
    const own = createNotice(element, { language, overrides: () => overridesOf({ app: modals.knownApp() }) })
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
  }

  function nextLogin(): Promise<void> {
    return new Promise((resolve) => {
      onLogin = resolve
    })
  }

  /** Loads the dialogs ahead of the click. */
  function onNear({ target }: Event): void {
    if (!(target instanceof Element)) return
    const action = target.closest<HTMLElement>(actions)?.dataset.membership ?? ''
    // A failure shows when the dialog opens, which tries again.
    if (modalTypes.has(action)) modals.prepare().catch(() => {})
  }

  const observer = new MutationObserver(show)
  observer.observe(document.documentElement, { childList: true, subtree: true, attributeFilter: attributes })
  document.addEventListener('click', onClick)
  document.addEventListener('pointerover', onNear)
  document.addEventListener('focusin', onNear)
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
    notice?.close()
    observer.disconnect()
    auth.unsubscribe()
    window.removeEventListener('online', onOnline)
    document.removeEventListener('click', onClick)
    document.removeEventListener('pointerover', onNear)
    document.removeEventListener('focusin', onNear)
  }
}

/** Returns whether an address leads anywhere: `#` is that of a button. */
function leads(address: string): boolean {
  return address !== '' && address !== '#' && isWebAddress(address)
}
