import type { Store } from './store.ts'

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface extends the browser's own
  interface Window {
    dataLayer?: unknown[]
  }
}

/** Whether the reader agreed to be counted. */
export type Consent = 'given' | 'refused'

const consentKey = 'tidings:consent'

/** Returns the reader's consent on this device; null before they were asked. */
export function findConsent(store: Store): Consent | null {
  const consent = store.get(consentKey)
  return consent === 'given' || consent === 'refused' ? consent : null
}

export function saveConsent(store: Store, consent: Consent): void {
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

/** Reports a page view to the tag manager. */
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
