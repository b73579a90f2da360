import { type Expansions, objectsOf } from '../../http/expand.ts'
import { toWirePortalConfiguration } from '../../wire/portal.ts'

/** What `expand` finds of the portal: a session's configuration, and what it lets one switch between. */
export const portalExpansions: Expansions = {
  objects: {
    bpc_: objectsOf('portalConfiguration', (_world, configuration) =>
      toWirePortalConfiguration(configuration),
    ),
  },
  included: {},
}
