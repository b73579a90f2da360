import {
  createDeliveryDesk,
  createDeliveryOperations,
  createDeliverySchedule,
  createMemberDeliveries,
  createSending,
} from '../features/delivery/index.ts'
import type { Adapters } from './adapters.ts'
import type { Content } from './content.ts'
import type { DeliveryMail } from './delivery-mail.ts'
import type { Desk } from './desk.ts'
import type { Infrastructure } from './infrastructure.ts'

/** Creates what sends editions to members. */
export function createDelivery(
  deps: Infrastructure & Adapters & Content & DeliveryMail & Pick<Desk, 'changes'>,
) {
  const { config, deliveryPlanning: planning } = deps
  const { unconfirmedAfterHours: afterHours, unconfirmedAs: as } = config.delivery
  const shared = {
    ...deps,
    ...config.site,
    ...config.publishing,
    ...config.delivery,
    siteHost: config.site.url.hostname,
    planning,
    prepareEmail: deps.prepareDeliveryEmail,
    recordRefusal: deps.bounces.recordRefusal,
    unconfirmed: { afterHours, as },
  }
  return {
    sending: createSending(shared),
    deliverySchedule: createDeliverySchedule(shared),
    deliveryOperations: createDeliveryOperations(shared),
    deliveryDesk: createDeliveryDesk(shared),
    memberDeliveries: createMemberDeliveries(shared),
  }
}
