import { createMembershipClient } from './membership-client.ts'

/**
 * Creates a client from the attributes of its script element: `data-public-key`, and optionally `data-api-base` (by
 * default the script's origin), `data-app-id`, `data-use-cookies` and `data-global` (by default `$membership`).
 */
function createGlobalClient(): void {
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

createGlobalClient()
