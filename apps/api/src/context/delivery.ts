import { createDeliverySchedule, createSending } from '../features/delivery/index.ts'
import type { Adapters } from './adapters.ts'
import type { Content } from './content.ts'
import type { DeliveryMail } from './delivery-mail.ts'
import type { Infrastructure } from './infrastructure.ts'

/** Creates what sends editions to members. */
export function createDelivery(deps: Infrastructure & Adapters & Content & DeliveryMail) {
  const { config, deliveryPlanning: planning } = deps
  const { appId, timeZone, url } = config.site
  const shared = { ...deps, appId, timeZone, siteHost: url.hostname, ...config.publishing }
  const { unconfirmedAfterHours: afterHours, unconfirmedAs: as } = config.delivery
  return {
    sending: createSending({
      ...shared,
      prepareEmail: deps.prepareDeliveryEmail,
      recordRefusal: deps.bounces.recordRefusal,
    }),
    deliverySchedule: createDeliverySchedule({
      ...shared,
      ...config.delivery,
      planning,
      unconfirmed: { afterHours, as },
    }),
  }
}
