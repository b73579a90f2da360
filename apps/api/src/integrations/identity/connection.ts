import type { CustomFetch } from 'openid-client'
import type { Clock } from '#platform/clock.ts'

/** How providers are called. `fetch` replaces the global one. */
export type Connection = { clock: Clock; timeoutSeconds: number; fetch?: CustomFetch | undefined }

/** Returns whether a URL is on this machine, where HTTP is as private as HTTPS. */
export function isLocal({ hostname }: URL): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
