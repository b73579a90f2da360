import {
  destinationReply,
  planChangeByPriceReply,
  planChangePreviewReply,
} from '@tidings/contracts/membership/billing'
import { currentMemberReply } from '@tidings/contracts/membership/members'
import type { LightMyRequestResponse } from 'fastify'
import { secondsOf } from '#integrations/payments/stripe/client/client.ts'
import { minorUnits } from '#platform/money.ts'
import { type AuditedSite, coupons, soldPrices } from './audited-site.ts'
import type { Tab } from './people.ts'
import { pick } from './random-choice.ts'

export type Act = { at: AuditedSite; tab: Tab; random: () => number }

/** Something that is done to a member's payments. Returns what came of it. */
export type Action = { name: string; weight: number; run(act: Act): Promise<string> }

const cards = { good: '4242424242424242', declined: '4000000000000002', failsLater: '4000000000000341' }

/** The actions of members, on the site and on Stripe's pages. Each may fail: it is tried whatever the state is. */
export const memberActions: Action[] = [
  { name: 'opens a checkout', weight: 5, run: openCheckout },
  { name: 'pays a checkout', weight: 5, run: (act) => payCheckout(act, cards.good) },
  { name: 'pays a checkout with a declined card', weight: 2, run: (act) => payCheckout(act, cards.declined) },
  { name: 'abandons the checkouts', weight: 1, run: abandon },
  { name: 'subscribes', weight: 12, run: subscribe },
  { name: 'pays twice', weight: 4, run: payTwice },
  { name: 'changes the plan', weight: 10, run: changePlan },
  { name: 'keeps the plan', weight: 4, run: keepPlan },
  { name: 'cancels', weight: 5, run: (act) => useSubscription(act, 'cancel') },
  { name: 'resumes', weight: 5, run: (act) => useSubscription(act, 'resume') },
  { name: 'saves a good card', weight: 5, run: (act) => saveCard(act, cards.good) },
  { name: 'saves a card that fails', weight: 6, run: (act) => saveCard(act, cards.failsLater) },
  { name: 'pays an open invoice', weight: 6, run: payInvoice },
  { name: 'deletes the account', weight: 2, run: deleteAccount },
  { name: 'changes the address', weight: 2, run: changeAddress },
]

async function openCheckout({ tab, random }: Act): Promise<string> {
  const body = {
    priceId: pick(soldPrices, random),
    ...(random() < 0.4 ? { couponId: pick(Object.keys(coupons), random) } : {}),
  }
  const reply = await tab.call('POST', '/member/plans/create-checkout-session', body)
  if (reply.statusCode !== 200) return outcomeOf(reply)
  const { url } = destinationReply.parse(reply.json()).data
  if (!url.includes('/stripe/checkout/')) return 'led to a plan change'
  tab.person.pages.push(url)
  return `opened: ${body.priceId} ${body.couponId ?? ''}`
}

async function payCheckout({ at, tab: { person }, random }: Act, card: string): Promise<string> {
  if (person.pages.length === 0) return 'no checkout is open'
  const page = pick(person.pages, random)
  const { status, error } = await at.controls.completeCheckout(page, { card })
  if (status !== 'open') person.pages = person.pages.filter((one) => one !== page)
  return error?.code ?? status
}

async function abandon({ tab: { person } }: Act): Promise<string> {
  person.pages = []
  return 'done'
}

async function subscribe(act: Act): Promise<string> {
  const opened = await openCheckout(act)
  return opened.startsWith('opened') ? `${await payCheckout(act, cards.good)}: ${opened}` : opened
}

/** Pays two pages at once, of which the site knows one. */
async function payTwice({ at, tab, random }: Act): Promise<string> {
  const reply = await tab.call('GET', '/member')
  const member = currentMemberReply.parse(reply.json()).data
  if (member?.stripeCustomerId == null) return 'is no customer'
  const { soldIds, appId } = at.catalog
  const metadata = { member: member.id, app: appId }
  const { url } = await at.stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: member.stripeCustomerId,
    metadata,
    success_url: 'https://tidings.example',
    line_items: [{ price: pick(soldIds, random), quantity: 1 }],
    subscription_data: { metadata },
  })
  const opened = await openCheckout({ at, tab, random })
  const pages = [url ?? '', ...tab.person.pages.slice(-1)]
  const paid = await Promise.all(
    pages.map((page) => at.controls.completeCheckout(page, { card: cards.good })),
  )
  return `${paid.map(({ status }) => status).join(' and ')}: ${opened}`
}

/** Confirms a preview, or changes without one, as a former client does. */
async function changePlan({ at, tab, random }: Act): Promise<string> {
  const body = { priceId: pick(soldPrices, random) }
  const isPreviewed = random() < 0.7
  const preview = isPreviewed ? await tab.call('POST', '/member/plans/change/preview', body) : null
  if (preview !== null && preview.statusCode !== 200) return `preview ${outcomeOf(preview)}`
  const shown = preview === null ? null : planChangePreviewReply.parse(preview.json()).data
  const terms = shown && {
    amountDue: shown.amountDue,
    currency: shown.currency,
    proratedAt: shown.proratedAt,
    renewalAmount: shown.renewalAmount,
  }
  return await change({ at, tab, random }, { ...body, ...terms })
}

async function change({ at, tab }: Act, body: { priceId: string }): Promise<string> {
  const reply = await tab.call('POST', '/member/plans/change', body)
  if (reply.statusCode !== 200) return outcomeOf(reply)
  const { effective, amountDue, currency } = planChangeByPriceReply.parse(reply.json()).data.change
  if (effective === 'now' && amountDue > 0)
    tab.person.agreements.push({
      at: secondsOf(at.clock.now()),
      amountDue: minorUnits(amountDue, currency),
    })
  return `${effective}: ${body.priceId} for ${amountDue}`
}

/** Drops a scheduled change. */
async function keepPlan(act: Act): Promise<string> {
  const member = currentMemberReply.parse((await act.tab.call('GET', '/member')).json()).data
  const held = member?.planConnections.find(({ active, payment }) => active && payment !== null)
  if (held?.payment == null) return 'has no plan'
  return await change(act, { priceId: held.payment.priceId })
}

async function openPortal({ tab }: Act): Promise<string | LightMyRequestResponse> {
  const reply = await tab.call('POST', '/member/create-billing-portal-session', {})
  return reply.statusCode === 200 ? destinationReply.parse(reply.json()).data.url : reply
}

async function useSubscription(act: Act, how: 'cancel' | 'resume'): Promise<string> {
  const portal = await openPortal(act)
  if (typeof portal !== 'string') return outcomeOf(portal)
  const running = await act.at.ownSubscriptionOf(act.tab.person)
  if (running === undefined) return 'nothing runs'
  return await post(`${portal}/subscriptions/${running.id}/${how}`)
}

async function saveCard(act: Act, card: string): Promise<string> {
  const portal = await openPortal(act)
  return typeof portal === 'string' ? await post(`${portal}/card`, { card }) : outcomeOf(portal)
}

async function payInvoice({ at, tab: { person }, random }: Act): Promise<string> {
  for (const customer of person.customerIds) {
    const { data } = await at.stripe.invoices.list({ customer, status: 'open' })
    const page = data[0]?.hosted_invoice_url
    if (page) return await post(page, { answer: 'pay', card: random() < 0.8 ? cards.good : cards.declined })
  }
  return 'nothing is open'
}

async function deleteAccount({ at, tab: { person, call } }: Act): Promise<string> {
  const requestedAt = secondsOf(at.clock.now())
  const reply = await call('DELETE', '/member')
  if (reply.statusCode === 200) person.deletedAt ??= requestedAt
  return outcomeOf(reply)
}

async function changeAddress({ tab: { person, call } }: Act): Promise<string> {
  const email = `${person.name}-${person.addresses.length}@example.com`
  const reply = await call('POST', '/member-auth', { email })
  if (reply.statusCode === 200 && !person.addresses.includes(email)) person.addresses.unshift(email)
  return outcomeOf(reply)
}

async function post(page: string, fields: Record<string, string> = {}): Promise<string> {
  const reply = await fetch(page, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  await reply.body?.cancel()
  return reply.status === 303 ? 'done' : `page ${reply.status}`
}

function outcomeOf(reply: LightMyRequestResponse): string {
  const error: unknown = reply.statusCode === 200 ? null : reply.json().error?.code
  return error === null ? 'done' : `${reply.statusCode} ${error}`
}
