import { useSyncExternalStore } from 'react'
import type { Store } from './storage/store.ts'

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface extends the browser's own
  interface Window {
    dataLayer?: unknown[]
  }
}

/** Whether the reader agreed to be counted. */
export type Consent = 'given' | 'refused'

const consentKey = 'tidings:consent'

function findConsent(store: Store): Consent | null {
  const consent = store.get(consentKey)
  return consent === 'given' || consent === 'refused' ? consent : null
}

const listeners = new Set<() => void>()

export function saveConsent(store: Store, consent: Consent): void {
  store.set(consentKey, consent)
  for (const listener of listeners) listener()
}

/** Returns the reader's current consent on this device; null before they were asked. */
export function useConsent(store: Store): Consent | null {
  return useSyncExternalStore(watchConsent, () => findConsent(store))
}

function watchConsent(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Removes the cookies that the tag manager's tags left on this device. Reload the page to stop a running tag. */
export function removeTagCookies(page: Document): void {
  const names = page.cookie.split('; ').map((cookie) => cookie.split('=')[0] ?? '')
  const labels = page.location.hostname.split('.')
  const domains = labels.map((_label, index) => `; domain=${labels.slice(index).join('.')}`)
  for (const name of names.filter((known) => /^_g(?:a|id|at|cl)/.test(known))) {
    for (const domain of ['', ...domains]) page.cookie = `${name}=; max-age=0; path=/${domain}`
  }
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
