import { createMembershipClient } from './index.ts'

/**
 * Puts a client on the page, as its script element says: `data-public-key`, and if need be `data-api-base` (where the
 * script comes from when not named), `data-app-id`, `data-use-cookies` and `data-global` (`$membership` when not named).
 */
function putOnPage(): void {
  const script = document.currentScript
  const { publicKey, appId, useCookies, global: name = '$membership', ...named } = script?.dataset ?? {}
  if (!(script instanceof HTMLScriptElement) || !publicKey) {
    throw new Error('The membership client needs a script element of its own with data-public-key')
  }
  const client = createMembershipClient({
    apiBase: named.apiBase ?? new URL(script.src).origin,
    publicKey,
    appId,
    useCookies: useCookies !== undefined && useCookies !== 'false',
  })
  Object.assign(window, { [name]: client })
}

putOnPage()
