import type { CheckedAccount } from '#features/billing/index.ts'
import { neededEvents } from '#features/billing/index.ts'
import type { WebhookEndpoint } from '#integrations/payments/account-inspection.ts'
import { type Finding, formatDay, note, ok, type Section, todo } from './finding.ts'

type Options = { webhookUrl: URL; secrets: number }

/** Checks the endpoints that send events to the site. Their secrets can't be read. */
export function checkWebhooks(
  { inspection: { endpoints, apiVersion }, lastEventAt }: CheckedAccount,
  { webhookUrl, secrets }: Options,
): Section {
  const title = 'Webhook endpoint'
  const accepted =
    lastEventAt === null
      ? note('No event has been accepted yet. Stripe shows no secrets: compare them in the dashboard.')
      : ok(`The last event was accepted on ${formatDay(lastEventAt)}, so a secret is right.`)
  if (endpoints === null) {
    const text = `The key may not read endpoints. In the dashboard, one for all events must lead to ${webhookUrl.href}.`
    return { title, findings: [note(text), accepted] }
  }
  const ours = endpoints.filter(({ url }) => leadsTo(url, webhookUrl))
  const enabled = ours.filter(({ isEnabled }) => isEnabled)
  if (enabled.length === 0) {
    const state = ours.length === 0 ? 'No endpoint leads' : 'Only a disabled endpoint leads'
    const text = `${state} to ${webhookUrl.href}. Create one for all events, or enable it, and set STRIPE_WEBHOOK_SECRET to its secret.`
    return { title, findings: [todo(text), accepted] }
  }
  return {
    title,
    findings: [
      ...enabled.flatMap((one) => ofEndpoint(one, apiVersion)),
      ...several(enabled.length, secrets),
      accepted,
    ],
  }
}

/** A query tells the endpoints of an upgrade apart. */
function leadsTo(url: string, wanted: URL): boolean {
  if (!URL.canParse(url)) return false
  const { origin, pathname } = new URL(url)
  return origin === wanted.origin && pathname === wanted.pathname
}

function ofEndpoint({ id, url, events, apiVersion }: WebhookEndpoint, ownVersion: string): Finding[] {
  const missing = events.includes('*') ? [] : neededEvents.filter((name) => !events.includes(name))
  return [
    missing.length === 0
      ? ok(`${id} sends every event that the site needs to ${url}.`)
      : todo(`${id} doesn't send ${missing.join(', ')}. Let it send all events.`),
    apiVersion === ownVersion
      ? ok(`${id} has the API version of the site, ${ownVersion}.`)
      : note(
          `${id} has ${apiVersion === null ? "the account's default API version" : `API version ${apiVersion}`}; the site is written for ${ownVersion}. Events of either work, because only their ids are read.`,
        ),
  ]
}

function several(endpoints: number, secrets: number): Finding[] {
  if (endpoints > secrets)
    return [
      todo(
        `${endpoints} endpoints send events here, but STRIPE_WEBHOOK_SECRET has ${secrets === 1 ? 'one secret' : `${secrets} secrets`}. Set the secrets of both, separated by a comma, or disable one.`,
      ),
    ]
  if (secrets > endpoints)
    return [note('STRIPE_WEBHOOK_SECRET has more secrets than there are endpoints. Remove the former one.')]
  return endpoints > 1
    ? [note('Two endpoints send events here. Disable the former one once the other works.')]
    : []
}
