import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useServices } from '../lib/services/services.tsx'

/**
 * Registers the service worker once the first screen is idle, and offers its updates by a quiet line. In a browser
 * without service workers, loads the code of the other screens instead.
 */
export function SiteWorker() {
  const services = useServices()
  const queryClient = useQueryClient()
  const router = useRouter()
  const [update, setUpdate] = useState<(() => void) | null>(null)

  useEffect(() => {
    // The development server has no service worker.
    if (!import.meta.env.PROD) return
    let stop: (() => void) | undefined
    let isStopped = false
    async function register() {
      // A page over plain HTTP may not register one.
      if (!('serviceWorker' in navigator)) {
        await Promise.all(Object.values(router.routesById).map((route) => router.loadRouteChunk(route)))
        return
      }
      const { registerSiteWorker } = await import('../service-worker/registration.ts')
      if (isStopped) return
      stop = registerSiteWorker({ ...services, queryClient, onUpdate: (apply) => setUpdate(() => apply) })
    }
    const cancel = services.whenIdle(() => void register().catch(() => undefined))
    return () => {
      isStopped = true
      cancel()
      stop?.()
    }
  }, [services, queryClient, router])

  if (update === null) return null
  return (
    <p className="update-line" role="status">
      A new version is ready.{' '}
      <button type="button" className="link" onClick={() => services.leaveGuard.leave(update)}>
        Reload
      </button>
    </p>
  )
}
