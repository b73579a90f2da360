import { createRecipientCounts } from '../features/delivery/index.ts'
import { createPreviewPages, createPreviewService } from '../features/previews/index.ts'
import { createLinkChecks, createReadinessService } from '../features/readiness/index.ts'
import type { Adapters } from './adapters.ts'
import type { Content } from './content.ts'
import type { Delivery } from './delivery.ts'
import type { DeliveryMail } from './delivery-mail.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

export type DeskTruth = ReturnType<typeof createDeskTruth>

/** Creates what tells editors the truth about their drafts: previews of unsaved text, and what to look at. */
export function createDeskTruth(
  deps: Infrastructure &
    Pick<Adapters, 'linkChecker' | 'pushSender'> &
    Pick<Content, 'media' | 'editionMethods'> &
    Pick<Delivery, 'deliveryDesk' | 'unsavedContent'> &
    Pick<DeliveryMail, 'editionPdfs' | 'signedLinks'> &
    Pick<Membership, 'apps' | 'secureContent'>,
) {
  const { url: siteUrl, language: siteLanguage, appId, timeZone } = deps.config.site
  const previewPages = createPreviewPages({ ...deps, siteUrl })
  const linkChecks = createLinkChecks(deps)
  const pushKey = deps.pushSender.publicKey
  const recipientCounts = createRecipientCounts({ ...deps, appId, timeZone, pushKey })
  return {
    previewPages,
    previews: createPreviewService({ ...deps, previewPages, siteLanguage }),
    linkChecks,
    deskReadiness: createReadinessService({ ...deps, linkChecks, recipientCounts }),
  }
}
