import type { QueryClient } from '@tanstack/react-query'
import { paths } from '@tidings/contracts/paths'
import { listArticleUrls } from '#features/articles/kept-articles.ts'
import { listUrlsToKeep } from '#features/news/memos/kept-editions.ts'
import { loadPhoneLibrary } from '#lib/phone/phone-numbers.ts'
import type { Services } from '#lib/services/services.tsx'
import { deleteKeptForMember } from '#lib/storage/kept.ts'
import { keepScreensMessage, skipWaitingMessage } from './rules.ts'

type Deps = Services & {
  queryClient: QueryClient
  /** A new version waits; calling the function applies it and reloads the page. */
  onUpdate: (apply: () => void) => void
}

const keepAfterMs = 1500
// Doubled after each failure.
const retryAfterMs = 30_000

/**
 * Registers the service worker, and has it keep the day's editions; returns what stops that. A first version that could
 * not be installed, as in a tunnel, is tried again.
 */
export function registerSiteWorker(deps: Deps): () => void {
  const { queryClient, memberSession, onUpdate, reloadPage } = deps
  const { serviceWorker } = navigator
  const requestedUrls = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasRequestedScreens = false
  let followed: ServiceWorker | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let retryMs = retryAfterMs

  function offer(waiting: ServiceWorker) {
    onUpdate(() => {
      serviceWorker.addEventListener('controllerchange', reloadPage, { once: true })
      waiting.postMessage(skipWaitingMessage)
    })
  }

  async function register() {
    const registration = await serviceWorker.register(paths.serviceWorker)
    if (registration.waiting !== null && serviceWorker.controller !== null) offer(registration.waiting)
    follow(registration)
    registration.addEventListener('updatefound', () => follow(registration))
  }

  function follow(registration: ServiceWorkerRegistration) {
    const { installing } = registration
    if (installing === followed) return
    followed = installing
    installing?.addEventListener('statechange', () => {
      // Without a controller, this is the first version: there is nothing to update.
      if (installing.state === 'installed' && serviceWorker.controller !== null) offer(installing)
      if (installing.state === 'redundant' && registration.active === null) registerLater()
    })
  }

  function registerNow() {
    void register().catch((cause: unknown) => {
      reportError(new Error('The service worker was not registered', { cause }))
      registerLater()
    })
  }

  function registerLater() {
    clearTimeout(retry)
    retry = setTimeout(registerNow, retryMs)
    retryMs *= 2
  }

  async function keep() {
    const { active } = await serviceWorker.ready
    const urls = listUrlsToKeep(queryClient, deps).filter((url) => !requestedUrls.has(url))
    for (const url of urls) requestedUrls.add(url)
    // Workbox's own message: its routes fetch these and keep the replies.
    if (urls.length > 0) active?.postMessage({ type: 'CACHE_URLS', payload: { urlsToCache: urls } })
    if (!hasRequestedScreens) active?.postMessage(keepScreensMessage)
    hasRequestedScreens = true
    // The worker keeps what it fetches: offline, a member's number is then shown as it is online.
    if (memberSession.token() !== null && serviceWorker.controller !== null) void loadPhoneLibrary()
  }

  function keepSoon() {
    clearTimeout(timer)
    timer = setTimeout(() => void keep(), keepAfterMs)
  }

  /** Has the worker keep the articles that were opened before it took over. */
  function keepOpenedArticles() {
    const token = memberSession.token()
    if (token === null) return
    const { articles, pictures } = listArticleUrls(queryClient)
    const init = { headers: { Authorization: `Bearer ${token}` } }
    const urlsToCache = [...articles.map((url) => [url, init] as const), ...pictures]
    serviceWorker.controller?.postMessage({ type: 'CACHE_URLS', payload: { urlsToCache } })
  }

  if (serviceWorker.controller === null)
    serviceWorker.addEventListener('controllerchange', keepOpenedArticles, { once: true })
  // The session may have ended while no page was open.
  if (memberSession.token() === null) void deleteKeptForMember()

  registerNow()
  keepSoon()
  const unsubscribe = queryClient.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated' || type === 'added') keepSoon()
  })
  return () => {
    clearTimeout(timer)
    clearTimeout(retry)
    unsubscribe()
    serviceWorker.removeEventListener('controllerchange', keepOpenedArticles)
  }
}
