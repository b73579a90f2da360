import type { Services } from '../lib/services/services.tsx'

/** Returns where an unknown path redirects: to /home, on the staging host to /. */
export function unknownPath({ config, hostName }: Services): '/' | '/home' {
  const isStaging = config.stagingHost !== '' && hostName === config.stagingHost
  return isStaging ? '/' : '/home'
}
