import { useSyncExternalStore } from 'react'
import { useServices } from '../services/services.tsx'

/** Returns whether a member is logged in, in any tab of this browser. */
export function useIsLoggedIn(): boolean {
  const { memberSession } = useServices()
  return useSyncExternalStore(memberSession.subscribe, memberSession.isLoggedIn)
}
