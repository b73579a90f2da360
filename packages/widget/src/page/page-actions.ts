import type { MembershipClient } from '@tidings/client'
import type { Modals, ModalType } from '../dialogs/open-modal.ts'
import { createAttempts } from './attempts.ts'

type Deps = {
  calls: Pick<MembershipClient, 'getCurrentMember' | 'logout'>
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

/** Connects the elements with `data-membership`, which open a dialog or log out. */
export function connectActions({ calls, modals, language }: Deps) {
  let onLogin: (() => void) | null = null
  let lastTapped: HTMLElement | null = null
  const { attempt, isBusy, closeNotice } = createAttempts({ modals, language })

  function onClick(event: MouseEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey) return
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>(actions) : null
    const action = element?.dataset.membership ?? ''
    const type = modalTypes.get(action)
    if (element === null || (type === undefined && action !== 'logout')) return
    event.preventDefault()
    lastTapped = element
    if (isBusy(element)) return
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

  document.addEventListener('click', onClick)
  document.addEventListener('pointerover', onNear)
  document.addEventListener('focusin', onNear)

  return {
    /** Lets go on what waits for a login. A logout ends the wait. */
    onSession(isLoggedIn: boolean): void {
      if (isLoggedIn) onLogin?.()
      onLogin = null
    },
    disconnect(): void {
      closeNotice()
      document.removeEventListener('click', onClick)
      document.removeEventListener('pointerover', onNear)
      document.removeEventListener('focusin', onNear)
    },
  }
}
