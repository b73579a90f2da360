import { gateFlag, gateStatus, isGateOpen } from '../features/gate/gate-status.ts'
import type { AppContext } from './app-context.ts'

/**
 * Whether the screens behind the gate may be shown. The session's flag spares the wait and lets a reader
 * without a network see what was last read; the server's answer follows and has the last word.
 * @throws when the server does not say and this session has no flag
 */
export async function findGateOpen({ queryClient, surroundings }: AppContext): Promise<boolean> {
  const known = queryClient.getQueryData(gateStatus.queryKey)
  if (known !== undefined) return isGateOpen(known)
  if (surroundings.sessionStore.get(gateFlag) === 'true') {
    void queryClient.prefetchQuery(gateStatus)
    return true
  }
  return isGateOpen(await queryClient.ensureQueryData(gateStatus))
}
