import { destinationReply } from '@tidings/contracts/membership/billing'
import { currentMemberReply, deletedMemberReply } from '@tidings/contracts/membership/members'
import { siteUnderTest } from '../site-under-test.config.ts'
import { callEmulator, confirmAddress, endFaults, paidPlan, payWith, priceOf, subscribe } from './checkout.ts'
import { expect, test } from './guest.ts'
import { mailTo } from './inbox.ts'

test.afterEach(endFaults)

test.describe('a member who pays, on a page of another origin', () => {
  test('has the plan after the redirect, and a welcome email once the address is confirmed', async ({
    guest,
  }) => {
    const { email } = await guest.signUp()
    const priceId = await priceOf(guest, 'Monthly')
    await guest.leave('purchasePlansWithCheckout', { priceId, successUrl: '/?paid' })
    await expect(guest.page.getByRole('heading', { level: 1 })).toHaveText('Subscribe to Monthly')
    await expect(guest.page.getByText(`For ${email}`)).toBeVisible()
    await payWith(guest.page, 'Pays')
    await guest.isBack('/?paid')
    const plan = await paidPlan(guest, { planName: 'Monthly', active: true, status: 'ACTIVE' })
    expect(plan.payment).toEqual({
      priceId,
      amount: 4.99,
      currency: 'usd',
      interval: 'MONTHLY',
      status: 'PAID',
      lastBillingDate: expect.any(String),
      nextBillingDate: expect.any(String),
      cancelAtDate: null,
      renewal: {
        interval: 'MONTHLY',
        taxBehavior: null,
        amounts: [{ from: plan.payment?.nextBillingDate, amount: 4.99, tax: 0 }],
      },
    })
    const { data } = await guest.call(currentMemberReply, 'getCurrentMember')
    expect(data?.permissions).toEqual(['paid'])
    expect(data?.stripeCustomerId).toMatch(/^cus_/)
    await mailTo(email, 'An email is waiting for you')
    await confirmAddress(guest, email)
    expect((await mailTo(email, 'Your plan is active')).text).toContain('$4.99 a month')
  })

  test('tries another card after one that is declined', async ({ guest }) => {
    await guest.signUp()
    await guest.leave('purchasePlansWithCheckout', { priceId: await priceOf(guest, 'Yearly') })
    await payWith(guest.page, 'Is declined')
    await expect(guest.page.getByRole('alert')).toHaveText('Your card was declined.')
    await payWith(guest.page, 'Pays')
    await guest.isBack()
    await paidPlan(guest, { planName: 'Yearly', active: true })
  })

  test('authenticates with the bank when the card requires it', async ({ guest }) => {
    await guest.signUp()
    await guest.leave('purchasePlansWithCheckout', { priceId: await priceOf(guest, 'Monthly') })
    await payWith(guest.page, 'Asks every time')
    await guest.page.getByRole('button', { name: 'Fail authentication' }).click()
    await expect(guest.page.getByRole('alert')).toHaveText(/\w/)
    await payWith(guest.page, 'Asks every time')
    await guest.page.getByRole('button', { name: 'Complete authentication' }).click()
    await guest.isBack()
    await paidPlan(guest, { planName: 'Monthly', active: true })
  })

  test('can leave the checkout and return to it', async ({ guest }) => {
    await guest.signUp()
    const priceId = await priceOf(guest, 'Monthly')
    await guest.leave('purchasePlansWithCheckout', { priceId, cancelUrl: '/?later' })
    const checkout = guest.page.url()
    await guest.page.getByRole('link', { name: /^Back to localhost/ }).click()
    await guest.isBack('/?later')
    const { data } = await guest.call(currentMemberReply, 'getCurrentMember')
    expect(data?.planConnections.filter(({ type }) => type !== 'FREE')).toEqual([])
    await guest.page.goto(checkout)
    await payWith(guest.page, 'Pays')
    await guest.isBack()
    await paidPlan(guest, { planName: 'Monthly', active: true })
    await guest.page.goto(checkout)
    await expect(guest.page.getByText('cannot be paid twice')).toBeVisible()
  })

  test('has no customer at Stripe once it has deleted its account', async ({ guest }) => {
    const { email, member } = await subscribe(guest)
    await guest.page.goto(`${siteUnderTest.stripeUrl()}/stripe`)
    const account = guest.page.getByRole('article', { name: email })
    await expect(account).toContainText('Monthly, $4.99 every month: active')
    await guest.comeBack()
    const { data } = await guest.call(deletedMemberReply, 'deleteMember')
    expect(data).toEqual({ id: member.id })
    // A job cancels the subscription and deletes the customer.
    await expect(async () => {
      await guest.page.goto(`${siteUnderTest.stripeUrl()}/stripe`)
      await expect(account).toHaveCount(0, { timeout: 500 })
    }).toPass()
    expect((await mailTo(email, 'Your plan ended with your account')).text).toContain(
      'Our payment service has deleted your details and cards',
    )
  })

  test('gets an error while payments are unavailable, and pays once they are back', async ({ guest }) => {
    const { member } = await guest.signUp()
    const order = { priceId: await priceOf(guest, 'Monthly'), autoRedirect: false }
    // Only this member's calls fail, because other tests pay meanwhile. Enough for every retry of the site.
    const fault = { kind: 'server-error', match: 'POST /v1/checkout/sessions', about: member.id, times: 100 }
    await callEmulator('faults', fault)
    await guest.refuse({ code: 'payments-unavailable', status: 503 }, 'purchasePlansWithCheckout', order)
    await endFaults()
    const { data } = await guest.call(destinationReply, 'purchasePlansWithCheckout', order)
    expect(data.url).toMatch(/\/stripe\/checkout\/cs_/)
  })
})

test.describe('a payment that is refused, on a page of another origin', () => {
  const loginRequired = { code: 'login-required', status: 401 } as const

  test('without a login', async ({ guest }) => {
    const price = { priceId: await priceOf(guest, 'Monthly') }
    await guest.refuse(loginRequired, 'purchasePlansWithCheckout', price)
    await guest.refuse(loginRequired, 'launchStripeCustomerPortal')
    await guest.refuse(loginRequired, 'previewPlanChange', price)
    await guest.refuse(loginRequired, 'changePlan', price)
  })

  test('without a billing account', async ({ guest }) => {
    await guest.signUp()
    const price = { priceId: await priceOf(guest, 'Monthly') }
    await guest.refuse({ code: 'no-billing-account', status: 404 }, 'launchStripeCustomerPortal')
    await guest.refuse({ code: 'no-plan-found', status: 404 }, 'previewPlanChange', price)
    await guest.refuse({ code: 'no-plan-found', status: 404 }, 'changePlan', price)
  })

  test('for an unknown price or code, or a redirect to another origin', async ({ guest }) => {
    await guest.signUp()
    const price = { priceId: await priceOf(guest, 'Monthly') }
    const checkout = 'purchasePlansWithCheckout'
    const gone = { code: 'price-no-longer-available', status: 400 } as const
    await guest.refuse(gone, checkout, { priceId: 'prc_unknown' })
    const coupon = { ...price, couponId: 'no-such-code' }
    await guest.refuse({ code: 'coupon-not-valid', status: 400 }, checkout, coupon)
    const foreign = { ...price, successUrl: 'https://elsewhere.example/thanks' }
    await guest.refuse({ code: 'domain-not-permitted', status: 403 }, checkout, foreign)
  })

  test('for the plan that the member has', async ({ guest }) => {
    await subscribe(guest)
    const price = { priceId: await priceOf(guest, 'Monthly') }
    for (const method of ['purchasePlansWithCheckout', 'previewPlanChange', 'changePlan']) {
      await guest.refuse({ code: 'already-have-plan', status: 409 }, method, price)
    }
  })
})
