import type { ReturnAddresses } from '../bounces/return-addresses.ts'
import type { PrepareDeliveryEmail } from '../delivery-email.ts'
import type { SignedLinks } from '../links/signed-links.ts'
import type { DeliverySite } from './edition-content.ts'
import { prepareDeliveryEmail } from './prepare-email.ts'
import { toEmailContent } from './to-email-content.ts'

type Deps = { deliverySite: DeliverySite; signedLinks: SignedLinks; returnAddresses: ReturnAddresses }

/** Creates what renders each edition or digest once, and fills in the links of each delivery. */
export function createDeliveryEmails(deps: Deps): PrepareDeliveryEmail {
  const { deliverySite, signedLinks, returnAddresses } = deps
  return async (content) => {
    const fill = await prepareDeliveryEmail(toEmailContent(content, signedLinks), deliverySite)
    return ({ deliveryId, memberId, method }) => ({
      ...fill(signedLinks.ofDelivery(deliveryId, { memberId, method })),
      envelopeFrom: returnAddresses.of(deliveryId),
    })
  }
}
