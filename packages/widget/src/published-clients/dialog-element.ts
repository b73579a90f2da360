import type { App, Member, MembershipCalls } from '../dialogs/membership-calls.ts'
import type { DialogsModule } from '../dialogs/modals.ts'
import type { ModalParams, ModalResult, ModalType } from '../dialogs/open-modal.ts'
import { focusedElement } from '../dialogs/view/page.ts'
import { createNotice } from '../page/notice.ts'
import { overridesOf } from '../translations/overrides.ts'
import { adaptCalls } from './adapt-calls.ts'

type Options = {
  /** The element's name, by which the published client creates it. */
  name: string
  load: () => Promise<DialogsModule>
  language?: string | undefined
}

const modalTypes: readonly ModalType[] = ['LOGIN', 'SIGNUP', 'FORGOT_PASSWORD', 'RESET_PASSWORD', 'PROFILE']

/**
 * Registers the element that a published client creates for each dialog. The client sets `display`, `params` and
 * `onSuccess`. Every call goes through the client's methods on the page.
 */
export function registerDialogElement({ name, load, language }: Options): void {
  // A client that fails to load the script once requests it again.
  if (customElements.get(name)) return
  customElements.define(
    name,
    class extends HTMLElement {
      declare display?: unknown
      declare params?: unknown
      declare onSuccess?: unknown
      #wasOpened = false

      connectedCallback(): void {
        if (this.#wasOpened) return
        this.#wasOpened = true
        // The client may set the properties after it has added the element.
        queueMicrotask(() => void this.#open())
      }

      async #open(): Promise<void> {
        try {
          const type = modalTypes.find((one) => one.toLowerCase() === this.display)
          if (type === undefined) throw new Error(`There is no dialog '${this.display}'`)
          await openIn(this, { type, load, language, onResult: (result) => this.#report(result) })
        } catch (error) {
          globalThis.reportError(error)
          this.#report(closed)
        }
      }

      #report(result: ModalResult): void {
        if (this.isConnected && typeof this.onSuccess === 'function') this.onSuccess(result)
      }
    },
  )
}

const closed: ModalResult = { type: 'CLOSED', data: {} }

type Opening = {
  type: ModalType
  load: () => Promise<DialogsModule>
  language: string | undefined
  onResult: (result: ModalResult) => void
}

async function openIn(
  element: HTMLElement & { params?: unknown },
  { type, load, language, onResult }: Opening,
): Promise<void> {
  const calls = adaptCalls(Reflect.get(window, '$memberstackDom'))
  const params = isParams(element.params) ? element.params : {}
  const [{ openDialog, catalog }, member] = await Promise.all([
    loadDialogs(load, language, params),
    memberFor(type, calls),
  ])
  if (!element.isConnected) return
  openDialog({
    type,
    params,
    calls,
    getApp: async () => params.app ?? (await appOf(calls)),
    member,
    catalog,
    language,
    host: element,
    onResult,
    onClosed: () => onResult(closed),
  })
}

/** Loads the dialogs, with a notice at the focused element while it takes its time and when it fails. */
async function loadDialogs(load: Opening['load'], language: string | undefined, params: ModalParams) {
  const notice = createNotice(focusedElement(), { language, overrides: () => overridesOf(params) })
  try {
    const { openDialog, prepareCatalog } = await load()
    const catalog = await prepareCatalog(language)
    notice.close()
    return { openDialog, catalog }
  } catch (error) {
    notice.fail('open_failed')
    throw error
  }
}

async function appOf({ getApp }: MembershipCalls): Promise<App> {
  if (getApp === undefined) throw new Error('The published client has no getApp')
  return (await getApp()).data
}

/** @throws {Error} when a profile has no member */
async function memberFor(type: ModalType, { getCurrentMember }: MembershipCalls): Promise<Member | null> {
  if (type !== 'PROFILE') return null
  const member = (await getCurrentMember?.())?.data ?? null
  if (member === null) throw new Error('Member not logged in')
  return member
}

function isParams(value: unknown): value is ModalParams {
  return value instanceof Object
}
