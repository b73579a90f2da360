import { expect, type Page } from '@playwright/test'
import { currentMemberReply, type Member } from '@tidings/contracts/members'
import { appReply } from '@tidings/contracts/widget-config'
import { siteUnderTest } from '../site-under-test.config.ts'
import type { Guest } from './guest.ts'

/** What the cards do that the stand-in's pages offer. */
type Card = 'Pays' | 'Is declined' | 'Asks every time' | 'Saved, then fails'

/** Fills a card in by the button that offers it; the page comes again with its number. */
export async function chooseCard(page: Page, does: Card): Promise<void> {
  await page.getByRole('listitem').getByRole('button', { name: does }).click()
  await expect(page.getByLabel('Card number')).toHaveValue(/^\d{4}( \d{4}){3}$/)
}

/** Pays what the page asks for with a card; what comes of it is for the caller to see. */
export async function payWith(page: Page, does: Card): Promise<void> {
  await chooseCard(page, does)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}

/** The price of a plan of the app, by the plan's name. */
export async function priceOf(guest: Guest, planName: string): Promise<string> {
  const { data } = await guest.call(appReply, 'getApp')
  const [price] = data.plans.find(({ name }) => name === planName)?.prices ?? []
  if (price === undefined) throw new Error(`The app sells no ${planName}`)
  return price.id
}

/** The one paid plan of the member who is logged in, once it is as `wanted` says. */
export async function paidPlan(guest: Guest, wanted: Record<string, unknown>) {
  const isPaid = ({ type }: Member['planConnections'][number]) => type === 'SUBSCRIPTION'
  const read = async () => {
    const { data } = await guest.call(currentMemberReply, 'getCurrentMember')
    return (data?.planConnections ?? []).filter(isPaid)
  }
  await expect.poll(read).toEqual([expect.objectContaining(wanted)])
  const [plan] = await read()
  if (plan === undefined) throw new Error('The plan is gone again')
  return plan
}

/** Signs up and pays for a plan, as in the journeys that begin with it. */
export async function subscribe(guest: Guest, planName = 'Monthly') {
  const account = await guest.signUp()
  await guest.leave('purchasePlansWithCheckout', { priceId: await priceOf(guest, planName) })
  await payWith(guest.page, 'Pays')
  await guest.isBack()
  await paidPlan(guest, { planName, active: true })
  return account
}

/** Makes every further charge of a guest's subscription fail, as the merchant's API can. */
export async function failCard(email: string): Promise<void> {
  const { data: customers } = await callStripe(`customers?email=${encodeURIComponent(email)}`)
  const [customer] = customers.map(({ id }: { id: string }) => id)
  const { data: subscriptions } = await callStripe(`subscriptions?customer=${customer}`)
  const card = await callStripe('payment_methods/pm_card_chargeCustomerFail/attach', { customer })
  for (const { id } of subscriptions)
    await callStripe(`subscriptions/${id}`, { default_payment_method: card.id })
}

async function callStripe(path: string, fields?: Record<string, string>) {
  const reply = await fetch(`${siteUnderTest.stripeUrl()}/v1/${path}`, {
    headers: { authorization: 'Bearer sk_test_tidings_local' },
    ...(fields ? { method: 'POST', body: new URLSearchParams(fields) } : {}),
  })
  expect(reply.status).toBe(200)
  return await reply.json()
}

/** Says something to the stand-in beside its pages: what time it is, or what is to go wrong until `endFaults`. */
export async function tellStandIn(path: 'time' | 'faults', body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await askStandIn(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** From now on nothing goes wrong any more. */
export async function endFaults(): Promise<void> {
  await askStandIn('faults', { method: 'DELETE' })
}

async function askStandIn(path: string, request: RequestInit): Promise<void> {
  const reply = await fetch(`${siteUnderTest.stripeUrl()}/stripe/${path}`, request)
  expect(reply.status).toBe(200)
}
