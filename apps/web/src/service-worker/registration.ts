import type { QueryClient } from '@tanstack/react-query'
import { paths } from '@tidings/contracts/paths'
import { listUrlsToKeep } from '#features/news/memos/kept-editions.ts'
import type { Services } from '#lib/services.tsx'
import { skipWaitingMessage } from './rules.ts'

type Deps = Services & {
  queryClient: QueryClient
  /** A new version waits; calling the function applies it and reloads the page. */
  onUpdate: (apply: () => void) => void
}

const keepAfterMs = 1500

/** Registers the service worker, and has it keep the day's editions; returns what stops that. */
export function registerSiteWorker(deps: Deps): () => void {
  const { queryClient, onUpdate, reloadPage } = deps
  const { serviceWorker } = navigator
  const requestedUrls = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function offer(waiting: ServiceWorker) {
    onUpdate(() => {
      serviceWorker.addEventListener('controllerchange', reloadPage, { once: true })
      waiting.postMessage(skipWaitingMessage)
    })
  }

  async function register() {
    const registration = await serviceWorker.register(paths.serviceWorker)
    if (registration.waiting !== null && serviceWorker.controller !== null) offer(registration.waiting)
    registration.addEventListener('updatefound', () => {
      const { installing } = registration
      installing?.addEventListener('statechange', () => {
        // Without a controller, this is the first version: there is nothing to update.
        if (installing.state === 'installed' && serviceWorker.controller !== null) offer(installing)
      })
    })
  }

  async function keep() {
    const { active } = await serviceWorker.ready
    const urls = listUrlsToKeep(queryClient, deps).filter((url) => !requestedUrls.has(url))
    if (urls.length === 0) return
    for (const url of urls) requestedUrls.add(url)
    // Workbox's own message: its routes fetch these and keep the replies.
    active?.postMessage({ type: 'CACHE_URLS', payload: { urlsToCache: urls } })
  }

  function keepSoon() {
    clearTimeout(timer)
    timer = setTimeout(() => void keep(), keepAfterMs)
  }

  void register().catch((cause: unknown) => {
    reportError(new Error('The service worker was not registered', { cause }))
  })
  keepSoon()
  const unsubscribe = queryClient.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated' || type === 'added') keepSoon()
  })
  return () => {
    clearTimeout(timer)
    unsubscribe()
  }
}
