import type { Store } from './store.ts'

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to the browser's own
  interface Window {
    dataLayer?: unknown[]
  }
}

/** What the reader said about being counted; null before they were asked. */
export type Consent = 'given' | 'refused' | null

const consentKey = 'tidings:consent'

/** What the reader once said on this device. */
export function readConsent(store: Store): Consent {
  const said = store.get(consentKey)
  return said === 'given' || said === 'refused' ? said : null
}

/** Keeps what the reader said, so that they are asked once. */
export function keepConsent(store: Store, consent: 'given' | 'refused'): void {
  store.set(consentKey, consent)
}

/** Adds the tag manager's script to the page, once; a repeated call does nothing. */
export function loadTagManager(page: Document, id: string, now: Date): void {
  if (page.getElementById('tag-manager') !== null) return
  const layer = dataLayer()
  layer.push({ 'gtm.start': now.getTime(), event: 'gtm.js' })
  const script = page.createElement('script')
  script.id = 'tag-manager'
  script.async = true
  script.src = `https://www.googletagmanager.com/gtm.js?id=${encodeURIComponent(id)}`
  page.head.append(script)
}

/** Tells the tag manager that a screen is being looked at. */
export function pushPageView(view: { title: string; location: string; path: string }): void {
  dataLayer().push({
    event: 'page_view',
    page_title: view.title,
    page_location: view.location,
    page_path: view.path,
  })
}

function dataLayer(): unknown[] {
  window.dataLayer ??= []
  return window.dataLayer
}
