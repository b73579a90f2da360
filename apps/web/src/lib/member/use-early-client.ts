import { useEffect } from 'react'
import { useServices } from '../services/services.tsx'

/** Loads the client while the reader fills in a form, so that submitting doesn't wait for it. */
export function useEarlyClient(): void {
  const { memberSession } = useServices()
  useEffect(() => {
    // A failure is reported when the form is submitted.
    void memberSession.getClient().catch(() => undefined)
  }, [memberSession])
}
