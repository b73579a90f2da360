import { createAlerts, createConditions } from '../features/alerts/index.ts'
import { createOperatorEmails } from '../features/mail/index.ts'
import type { Adapters } from './adapters.ts'
import type { Infrastructure } from './infrastructure.ts'

/** Creates the emails to the operator about problems. */
export function createOperatorAlerts(deps: Infrastructure & Adapters) {
  const { config } = deps
  const { url: siteUrl, name: siteName, language, legal, timeZone } = config.site
  const { host, pathname } = new URL(config.database.url)
  const contact = legal.contactEmail
  const operatorEmails = createOperatorEmails({ ...deps, siteName, siteUrl, contact, language, timeZone })
  const alerts = createAlerts({
    ...deps,
    ...config.operator,
    operatorEmails,
    conditions: createConditions({ ...deps, dataDir: config.dataDir }),
    site: { site: siteUrl.host, database: `${host}${pathname}` },
  })
  return { operatorEmails, alerts }
}
