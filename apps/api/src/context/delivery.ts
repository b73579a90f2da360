import {
  createCorrectionNotes,
  createCorrectionSending,
  createDeliverability,
  createDeliveryDesk,
  createDeliveryOperations,
  createDeliveryProgress,
  createDeliverySchedule,
  createDeliverySearch,
  createEmailTransport,
  createMemberDeliveries,
  createMessageCounter,
  createProgressReport,
  createPushDevices,
  createPushTransport,
  createSending,
  createSmsTransport,
  createUnsavedContent,
  createWaiting,
} from '../features/delivery/index.ts'
import type { Adapters } from './adapters.ts'
import type { Content } from './content.ts'
import type { DeliveryMail } from './delivery-mail.ts'
import type { Desk } from './desk.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

export type Delivery = ReturnType<typeof createDelivery>

/** Creates the services that send editions to members. */
export function createDelivery(
  deps: Infrastructure &
    Adapters &
    Content &
    DeliveryMail &
    Pick<Desk, 'changes' | 'deskEvents'> &
    Pick<Membership, 'smsLimits'>,
) {
  const { config, deliveryPlanning: planning } = deps
  const { unconfirmedAfterHours: afterHours, unconfirmedAs: as } = config.delivery
  const deliveryProgress = createDeliveryProgress(deps)
  const unsavedContent = createUnsavedContent({ ...deps, siteLanguage: config.site.language })
  const shared = {
    ...deps,
    ...config.site,
    ...config.publishing,
    ...config.delivery,
    secret: config.secrets.siteSecret,
    planning,
    pushKey: deps.pushSender.publicKey,
    prepareEmail: deps.prepareDeliveryEmail,
    countMessage: createMessageCounter(deps.metrics),
    noteProgress: deliveryProgress.noteProgress,
    unconfirmed: { afterHours, as },
  }
  const waiting = createWaiting({ ...shared, smsPerSecond: config.sms.perSecond })
  const email = { ...shared, recordRefusal: deps.bounces.recordRefusal }
  return {
    deliveryProgress,
    smsSending: createSending({ ...shared, transport: createSmsTransport({ ...shared, ...config.sms }) }),
    pushSending: createSending({ ...shared, transport: createPushTransport(shared) }),
    sending: createSending({ ...shared, transport: createEmailTransport(email) }),
    deliverySchedule: createDeliverySchedule(shared),
    deliveryOperations: createDeliveryOperations({ ...shared, waiting }),
    unsavedContent,
    deliveryDesk: createDeliveryDesk({ ...shared, waiting, unsavedContent }),
    searchDeliveries: createDeliverySearch({ ...shared, waiting, phoneRegion: config.phoneRegion }),
    correctionNotes: createCorrectionNotes(shared),
    correctionSending: createCorrectionSending(shared),
    progressReport: createProgressReport(shared),
    deliverability: createDeliverability(shared),
    memberDeliveries: createMemberDeliveries(shared),
    pushDevices: createPushDevices(shared),
  }
}
