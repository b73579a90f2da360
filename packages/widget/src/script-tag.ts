import { createMembershipClient } from '@tidings/client'
import { createModals } from './dialogs/modals.ts'
import { dialogsBeside } from './dialogs-script.ts'
import { connectPage } from './page/page-elements.ts'

/**
 * Creates the client with its dialogs from the attributes of the script element: `data-public-key`, and optionally
 * `data-api-base` (by default the script's origin), `data-app-id`, `data-use-cookies`, `data-language` and `data-global`
 * (by default `$membership`).
 */
function createGlobalWidget(): void {
  const script = document.currentScript
  const {
    publicKey,
    appId,
    useCookies,
    language,
    global: name = '$membership',
    ...named
  } = script?.dataset ?? {}
  if (!(script instanceof HTMLScriptElement) || !publicKey) {
    throw new Error(
      'The membership widget needs a script element of its own with data-public-key and without type="module"',
    )
  }
  const client = createMembershipClient({
    apiBase: named.apiBase ?? new URL(script.src).origin,
    publicKey,
    appId,
    useCookies: useCookies !== undefined && useCookies !== 'false',
  })
  const modals = createModals({ calls: client, load: dialogsBeside(script.src), language })
  const { openModal, hideModal } = modals
  Object.assign(window, { [name]: Object.assign(client, { openModal, hideModal }) })
  connectPage({ calls: client, modals, language })
}

createGlobalWidget()
