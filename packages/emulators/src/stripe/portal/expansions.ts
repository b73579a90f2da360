import type { Expansions } from '../expand.ts'
import { toWirePortalConfiguration } from '../wire/portal.ts'

/** What `expand` finds of the portal: a session's configuration, and what it lets one switch between. */
export const portalExpansions: Expansions = {
  objects: {
    bpc_: (world, id) => {
      const configuration = world.of('portalConfiguration').find(id)
      return configuration && toWirePortalConfiguration(configuration)
    },
  },
  included: {},
}
