import { createPreviewPages, createPreviewService } from '../features/previews/index.ts'
import type { Content } from './content.ts'
import type { Delivery } from './delivery.ts'
import type { DeliveryMail } from './delivery-mail.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

/** Creates what tells editors the truth about their drafts: previews of unsaved text. */
export function createDeskTruth(
  deps: Infrastructure &
    Pick<Content, 'media'> &
    Pick<Delivery, 'deliveryDesk'> &
    Pick<DeliveryMail, 'editionPdfs' | 'signedLinks'> &
    Pick<Membership, 'apps' | 'secureContent'>,
) {
  const { url: siteUrl, language: siteLanguage } = deps.config.site
  const previewPages = createPreviewPages({ ...deps, siteUrl })
  return {
    previewPages,
    previews: createPreviewService({ ...deps, previewPages, siteLanguage }),
  }
}
