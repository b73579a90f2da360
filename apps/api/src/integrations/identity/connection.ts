import type { CustomFetch } from 'openid-client'
import type { Clock } from '#platform/clock.ts'

/** How providers are spoken to. `fetch` is used in the place of the global one where it is given. */
export type Connection = { clock: Clock; timeoutSeconds: number; fetch?: CustomFetch | undefined }

/** Whether an address is this machine's own, so that nobody on the way can listen. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
