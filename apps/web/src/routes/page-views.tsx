import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ConsentPrompt } from '../components/consent-prompt.tsx'
import { useServices } from '../lib/services/services.tsx'
import { loadTagManager, pushPageView, saveConsent, useConsent } from '../lib/tag-manager.ts'

/** Counts page views with the configured tag manager once the reader agrees, and asks them first. */
export function PageViews() {
  const { config, clock, deviceStore } = useServices()
  const router = useRouter()
  const consent = useConsent(deviceStore)
  const isCounting = consent === 'given'

  useEffect(() => {
    if (!isCounting) return
    loadTagManager(document, config.tagManagerId, clock.now())
    let lastPath = ''
    function countPage(path: string) {
      if (path === lastPath) return
      lastPath = path
      pushPageView({ title: document.title, location: window.location.href, path })
    }
    if (router.state.status === 'idle') countPage(router.state.location.pathname)
    return router.subscribe('onRendered', ({ toLocation }) => countPage(toLocation.pathname))
  }, [isCounting, config.tagManagerId, clock, router])

  if (consent !== null) return null
  return (
    <ConsentPrompt
      onAccept={() => saveConsent(deviceStore, 'given')}
      onDecline={() => saveConsent(deviceStore, 'refused')}
    />
  )
}
