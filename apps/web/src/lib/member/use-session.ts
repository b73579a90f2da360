import { useEffect, useSyncExternalStore } from 'react'
import { useServices } from '../services/services.tsx'

/** Returns whether a member is logged in, in any tab of this browser. */
export function useIsLoggedIn(): boolean {
  const { memberSession } = useServices()
  return useSyncExternalStore(memberSession.subscribe, memberSession.isLoggedIn)
}

/** Loads the client while the reader fills in a form, so that submitting doesn't wait for it. */
export function useEarlyClient(): void {
  const { memberSession } = useServices()
  useEffect(() => {
    // A failure is reported when the form is submitted.
    void memberSession.getClient().catch(() => undefined)
  }, [memberSession])
}
