import { expect, type Page } from '@playwright/test'
import { doneReply } from '@tidings/contracts/membership/auth'
import { currentMemberReply, type Member } from '@tidings/contracts/membership/members'
import { appReply } from '@tidings/contracts/membership/widget-config'
import { siteUnderTest } from '../site-under-test.config.ts'
import type { Guest } from './guest.ts'
import { about, codeTo } from './inbox.ts'

/** Test cards that the emulator's pages offer, by what they do. */
type Card = 'Pays' | 'Is declined' | 'Asks every time' | 'Saved, then fails'

/** Chooses a test card, which reloads the page with its number. */
export async function chooseCard(page: Page, does: Card): Promise<void> {
  await page.getByRole('listitem').getByRole('button', { name: does }).click()
  await expect(page.getByLabel('Card number')).toHaveValue(/^\d{4}( \d{4}){3}$/)
}

/** Submits the payment with a test card. */
export async function payWith(page: Page, does: Card): Promise<void> {
  await chooseCard(page, does)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}

/** Returns the price of the app's plan with this name. */
export async function priceOf(guest: Guest, planName: string): Promise<string> {
  const { data } = await guest.call(appReply, 'getApp')
  const [price] = data.plans.find(({ name }) => name === planName)?.prices ?? []
  if (price === undefined) throw new Error(`The app has no price for ${planName}`)
  return price.id
}

/** Waits until the member's only paid plan matches `wanted`, and returns it. */
export async function paidPlan(guest: Guest, wanted: Record<string, unknown>) {
  const isPaid = ({ type }: Member['planConnections'][number]) => type === 'SUBSCRIPTION'
  const read = async () => {
    const { data } = await guest.call(currentMemberReply, 'getCurrentMember')
    return (data?.planConnections ?? []).filter(isPaid)
  }
  await expect.poll(read).toEqual([expect.objectContaining(wanted)])
  const [plan] = await read()
  if (plan === undefined) throw new Error('The paid plan disappeared')
  return plan
}

/** Confirms the address of a new account, so that emails about payments arrive at once. */
export async function confirmAddress(guest: Guest, email: string): Promise<void> {
  const code = await codeTo(email, about.verification)
  await guest.call(doneReply, 'verifyMemberEmail', { email, code })
}

/** Signs up, confirms the address and pays for a plan. */
export async function subscribe(guest: Guest, planName = 'Monthly') {
  const account = await guest.signUp()
  await confirmAddress(guest, account.email)
  await guest.leave('purchasePlansWithCheckout', { priceId: await priceOf(guest, planName) })
  await payWith(guest.page, 'Pays')
  await guest.isBack()
  await paidPlan(guest, { planName, active: true })
  return account
}

/** Makes every further charge of a member's subscription fail, through the merchant's API. */
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

/** Advances the clock of the emulator. */
export async function advanceTime(advanceSeconds: number): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify({ advanceSeconds }) }
  expect((await fetch(`${siteUnderTest.stripeUrl()}/stripe/time`, request)).status).toBe(200)
}
