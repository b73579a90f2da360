import {
  createBounceService,
  createDeliveryEmails,
  createDeliverySms,
  createEditionPdfs,
  createLinkedPdfs,
  createLinkService,
  createProgramSms,
  createProgramWords,
  createReturnAddresses,
  createSignedLinks,
  createSmsEvents,
  createSmsLinks,
  createSuppressionService,
} from '../features/delivery/index.ts'
import type { Adapters } from './adapters.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

export type DeliveryMail = ReturnType<typeof createDeliveryMail>

/** Creates email rendering, signed links and bounce handling. */
export function createDeliveryMail(deps: Infrastructure & Adapters & Pick<Membership, 'apps' | 'members'>) {
  const { config, clock } = deps
  const { url, name, language, legal, appId, timeZone } = config.site
  const { siteSecret: secret } = config.secrets
  const { bounceDomain: domain, bounceLimit } = config.mail
  const deliverySite = {
    name,
    url,
    language,
    timeZone,
    company: legal.company,
    postalAddress: legal.address,
    contact: legal.contactEmail,
    subjectFormat: config.delivery.subjectFormat,
  }
  const signedLinks = createSignedLinks({ secret, siteUrl: url, clock })
  const smsLinks = createSmsLinks({ secret, siteUrl: url })
  const returnAddresses = createReturnAddresses({ secret, domain })
  const bounces = createBounceService({ ...deps, returnAddresses, bounceLimit, timeZone })
  const editionPdfs = createEditionPdfs({ ...deps, deliverySite })
  const { maxSegments, price } = config.sms
  const words = createProgramWords({
    siteName: name,
    contact: legal.contactEmail,
    editionsPerDay: config.site.slots.length,
  })
  const links = createLinkService({ ...deps, signedLinks, smsLinks, appId, timeZone, deliverySite })
  return {
    signedLinks,
    smsLinks,
    deliverySms: createDeliverySms({ site: deliverySite, smsLinks, maxSegments, price }),
    editionPdfs,
    bounces,
    suppression: createSuppressionService(deps),
    links,
    linkedPdfs: createLinkedPdfs({ ...deps, signedLinks, editionPdfs }),
    smsEvents: createSmsEvents({
      ...deps,
      links,
      signedLinks,
      smsLinks,
      words,
      lookupSeconds: config.sms.lookupSeconds,
    }),
    programSms: createProgramSms({ ...deps, welcome: words.welcome }),
    prepareDeliveryEmail: createDeliveryEmails({ deliverySite, signedLinks, returnAddresses, editionPdfs }),
    bounceReceiver: deps.createBounceReceiver(bounces.handler),
  }
}
