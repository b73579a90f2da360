import { createMemberDesk } from '../features/member-desk/index.ts'
import { createNeeds } from '../features/needs/index.ts'
import { createStatistics } from '../features/statistics/index.ts'
import type { createDelivery } from './delivery.ts'
import type { Desk } from './desk.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

type Deps = Infrastructure & Membership & Desk & ReturnType<typeof createDelivery>

/** Creates what editors see of members, and of the site in numbers. */
export function createFinding(deps: Deps) {
  const { phoneRegion, site } = deps.config
  return {
    memberDesk: createMemberDesk({ ...deps, appId: site.appId, phoneRegion }),
    statistics: createStatistics({ ...deps, ...site }),
    needs: createNeeds({ ...deps, ...site }),
  }
}
