import { useEffect } from 'react'
import { useServices } from '../lib/services/services.tsx'

/** Loads the client of a logged-in member once the first screen is idle, and checks that the session is still active. */
export function SessionCheck() {
  const { memberSession, whenIdle } = useServices()
  useEffect(() => {
    if (!memberSession.isLoggedIn()) return
    return whenIdle(() => void memberSession.verify())
  }, [memberSession, whenIdle])
  return null
}
