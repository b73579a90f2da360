import type { createCodeSecrets } from '../features/auth/index.ts'
import { createPhoneService } from '../features/phone/index.ts'
import { createSmsLimits } from '../features/sms-limits/index.ts'
import type { createMembershipApps } from '../platform/membership-apps/membership-apps.ts'
import type { Adapters } from './adapters.ts'
import type { Infrastructure } from './infrastructure.ts'

type Codes = {
  apps: ReturnType<typeof createMembershipApps>
  secrets: ReturnType<typeof createCodeSecrets>
}

/** Creates what verifies phone numbers, and what limits the texts for it. */
export function createPhones(deps: Infrastructure & Adapters & Codes) {
  const { sms, site, phoneRegion: region, codeLimits, secrets } = deps.config
  const isSetUp = sms.account !== null
  const smsLimits = createSmsLimits({
    ...deps,
    ...sms,
    texted: { countries: sms.countries, region },
    isSetUp,
    language: site.language,
    secret: secrets.siteSecret,
  })
  const phone = createPhoneService({
    ...deps,
    smsLimits,
    isSetUp,
    region,
    siteName: site.name,
    siteUrl: site.url,
    tries: codeLimits.tries,
  })
  return { phone, smsLimits }
}
