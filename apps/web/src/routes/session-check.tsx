import { useEffect } from 'react'
import { whenIdle } from '../lib/idle.ts'
import { useServices } from '../lib/services.tsx'

/** Loads the client of a logged-in member once the first screen is idle, and checks that the session is still active. */
export function SessionCheck() {
  const { memberSession } = useServices()
  useEffect(() => {
    if (!memberSession.isLoggedIn()) return
    return whenIdle(() => void memberSession.verify())
  }, [memberSession])
  return null
}
