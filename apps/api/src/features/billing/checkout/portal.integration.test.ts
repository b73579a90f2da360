import { openPage, submitForm } from '@tidings/emulators/stripe/testing/browse'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const path = '/member/create-billing-portal-session'

const it = paymentTest()
  .extend('subscriber', { scope: 'file' }, ({ actions }) => actions.subscriber)
  /** Returns the URL of a member's portal. */
  .extend(
    'openPortal',
    { scope: 'file' },
    ({ members }) =>
      async ({ headers }: TestMember, body: Record<string, unknown> = {}): Promise<string> => {
        return (await members.call('POST', path, { headers, body })).json().data.url
      },
  )
  /** Submits a form of the subscription's page in the portal. */
  .extend(
    'submitAction',
    { scope: 'file' },
    ({ payments, actions, openPortal }) =>
      async (member: TestMember, action: string) => {
        const { id } = await actions.subscriptionOf(member)
        await submitForm(`${await openPortal(member)}/subscriptions/${id}/${action}`, {})
        await payments.settle()
      },
  )

describe('POST /member/create-billing-portal-session', () => {
  it('returns 404 before any payment', async ({ members }) => {
    const { headers } = await members.signUp()
    for (const request of [{ headers, body: {} }, { headers }]) {
      expect(refusalOf(await members.call('POST', path, request))).toEqual({
        status: 404,
        code: 'no-billing-account',
        message: 'You don’t have a paid plan to manage yet. Choose one first.',
      })
    }
  })

  it("shows the member's plan, which can be canceled but not changed there", async ({
    subscriber,
    openPortal,
  }) => {
    const { html, status } = await openPage(await openPortal(await subscriber()))
    expect(status).toBe(200)
    expect(html).toContain('Monthly')
    expect(html).toContain('$4.99')
    expect(html).toContain('Cancel subscription')
    expect(html).not.toContain('Switch plan')
  })

  it('returns a new page for each request', async ({ subscriber, openPortal }) => {
    const [ann, bea] = [await subscriber(), await subscriber()]
    const pages = [await openPortal(ann), await openPortal(ann), await openPortal(bea)]
    expect(new Set(pages).size).toBe(3)
  })

  it.for([
    ['no prices', [], 'portal'],
    ['a field of another type', 'prc_any', 'portal'],
    ['prices', [testPrices.yearly], 'screen'],
  ] as const)(
    'ignores additional fields, and leads to the change-plan screen with prices: %s',
    async ([_what, priceIds, page], { site, subscriber, openPortal }) => {
      const url = await openPortal(await subscriber(), { priceIds, configuration: { any: 'thing' } })
      const screen = `${site.context.config.site.url.origin}/#/account/change-plan?priceId=${testPrices.yearly}`
      expect(url).toEqual(page === 'screen' ? screen : expect.stringMatching(/\/stripe\/portal\/[^/]+$/))
    },
  )

  it('cancels at period end and resumes', async ({ payments, subscriber, submitAction }) => {
    const dan = await subscriber()
    await submitAction(dan, 'cancel')
    const [canceled] = (await payments.memberOf(dan)).planConnections
    expect(canceled).toMatchObject({
      active: true,
      status: 'ACTIVE',
      payment: { nextBillingDate: null, cancelAtDate: '2026-12-20T17:00:00.000Z' },
    })
    await submitAction(dan, 'resume')
    const [resumed] = (await payments.memberOf(dan)).planConnections
    expect(resumed).toMatchObject({
      active: true,
      payment: { nextBillingDate: '2026-12-20T17:00:00.000Z', cancelAtDate: null },
    })
  })

  it('opens for a checkout of a plan whose cancellation is scheduled, and resumes it', async ({
    payments,
    subscriber,
    submitAction,
  }) => {
    const gus = await subscriber()
    await submitAction(gus, 'cancel')
    const page = await openPage(await payments.openCheckout(gus, testPrices.monthly))
    expect(page.status).toBe(200)
    expect(page.html).toContain('/resume')
  })

  it('does not open for a checkout of another plan, or while a change is scheduled', async ({
    payments,
    members,
    subscriber,
    submitAction,
  }) => {
    const [gus, hal] = [await subscriber(), await subscriber(testPrices.yearly)]
    await submitAction(gus, 'cancel')
    const body = { priceId: testPrices.monthly }
    await members.call('POST', '/member/plans/change', { headers: hal.headers, body })
    for (const member of [gus, hal]) {
      expect(await payments.openCheckout(member, testPrices.yearly)).toContain('/#/account/change-plan')
    }
  })
})
