import { createRoute, redirect } from '@tanstack/react-router'
import { rootRoute } from './root-route.tsx'

/** Any other path leads to /home; on the staging host to /. */
export const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad({ context }) {
    const { config, hostName } = context.surroundings
    const isStaging = config.stagingHost !== '' && hostName === config.stagingHost
    throw redirect({ to: isStaging ? '/' : '/home', replace: true })
  },
})
