import {
  createDeliveryDesk,
  createDeliveryOperations,
  createDeliverySchedule,
  createEmailTransport,
  createMemberDeliveries,
  createSending,
  createSmsTransport,
} from '../features/delivery/index.ts'
import type { Adapters } from './adapters.ts'
import type { Content } from './content.ts'
import type { DeliveryMail } from './delivery-mail.ts'
import type { Desk } from './desk.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

/** Creates what sends editions to members. */
export function createDelivery(
  deps: Infrastructure &
    Adapters &
    Content &
    DeliveryMail &
    Pick<Desk, 'changes'> &
    Pick<Membership, 'textLimits'>,
) {
  const { config, deliveryPlanning: planning } = deps
  const { unconfirmedAfterHours: afterHours, unconfirmedAs: as } = config.delivery
  const shared = {
    ...deps,
    ...config.site,
    ...config.publishing,
    ...config.delivery,
    siteHost: config.site.url.hostname,
    secret: config.secrets.siteSecret,
    planning,
    prepareEmail: deps.prepareDeliveryEmail,
    unconfirmed: { afterHours, as },
  }
  const email = { ...shared, recordRefusal: deps.bounces.recordRefusal }
  return {
    textSending: createSending({ ...shared, transport: createSmsTransport({ ...shared, ...config.sms }) }),
    sending: createSending({ ...shared, transport: createEmailTransport(email) }),
    deliverySchedule: createDeliverySchedule(shared),
    deliveryOperations: createDeliveryOperations(shared),
    deliveryDesk: createDeliveryDesk(shared),
    memberDeliveries: createMemberDeliveries(shared),
  }
}
