import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { whenIdle } from '../lib/idle.ts'
import { useServices } from '../lib/services.tsx'

/** Registers the service worker once the first screen is idle, and offers its updates by a quiet line. */
export function SiteWorker() {
  const services = useServices()
  const queryClient = useQueryClient()
  const [update, setUpdate] = useState<(() => void) | null>(null)

  useEffect(() => {
    // The development server has no service worker; a page over plain HTTP may not register one.
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    let stop: (() => void) | undefined
    let isStopped = false
    async function register() {
      const { registerSiteWorker } = await import('../service-worker/registration.ts')
      if (isStopped) return
      stop = registerSiteWorker({ ...services, queryClient, onUpdate: (apply) => setUpdate(() => apply) })
    }
    const cancel = whenIdle(() => void register().catch(() => undefined))
    return () => {
      isStopped = true
      cancel()
      stop?.()
    }
  }, [services, queryClient])

  if (update === null) return null
  return (
    <p className="update-line" role="status">
      A new version is ready.{' '}
      <button type="button" className="link" onClick={update}>
        Reload
      </button>
    </p>
  )
}
