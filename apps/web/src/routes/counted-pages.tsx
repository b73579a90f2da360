import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ConsentLine } from '../components/consent-line.tsx'
import { useSurroundings } from '../lib/surroundings.tsx'
import { keepConsent, loadTagManager, pushPageView, readConsent } from '../lib/tag-manager.ts'

/** Counts page views, where a tag manager is configured and the reader agreed; asks them once. */
export function CountedPages() {
  const { config, clock, deviceStore } = useSurroundings()
  const router = useRouter()
  const [consent, setConsent] = useState(() => readConsent(deviceStore))
  const isCounting = config.tagManagerId !== '' && consent === 'given'

  useEffect(() => {
    if (!isCounting) return
    loadTagManager(document, config.tagManagerId, clock.now())
    let counted = ''
    function countPage(path: string) {
      if (path === counted) return
      counted = path
      pushPageView({ title: document.title, location: window.location.href, path })
    }
    if (router.state.status === 'idle') countPage(router.state.location.pathname)
    return router.subscribe('onRendered', ({ toLocation }) => countPage(toLocation.pathname))
  }, [isCounting, config.tagManagerId, clock, router])

  if (config.tagManagerId === '' || consent !== null) return null
  function say(said: 'given' | 'refused') {
    keepConsent(deviceStore, said)
    setConsent(said)
  }
  return <ConsentLine onGiven={() => say('given')} onRefused={() => say('refused')} />
}
