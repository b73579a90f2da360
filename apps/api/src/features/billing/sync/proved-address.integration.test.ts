import { describe, expect } from 'vitest'
import { paymentMailTest } from '#test/fixtures.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { createTestMembers, type TestMember } from '#test/membership.ts'
import { testCards } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const welcome = 'Your plan is active'
const waiting = 'Confirm your address to get your Tidings emails'
const dayMs = 24 * 3_600_000

const it = paymentMailTest()
  /** A member who has proved no address. */
  .extend('ben', ({ site }) => createTestMembers(site).signUp())
  .extend('ann', ({ members }) => members.signUp())
  .extend('changeAddress', { scope: 'file' }, ({ members }) => async (member: TestMember, email: string) => {
    const reply = await members.call('POST', '/member-auth', { headers: member.headers, body: { email } })
    expect(reply.statusCode).toBe(200)
  })
  .extend('prove', { scope: 'file' }, ({ site, members, inbox, actions }) => async (member: TestMember) => {
    site.clock.pass(60_000)
    const { email } = member
    const headers = members.headersOf(await members.logIn({ email }))
    const count = (await inbox.mailsTo(email, 'Confirm your email address')).length
    await members.call('POST', '/auth/send-email-verification', { headers })
    const mail = await inbox.mailTo(email, 'This code expires', count + 1)
    const body = { email, code: codeIn(mail) }
    const reply = await members.call('POST', '/auth/verify-email', { headers, body })
    expect(reply.json()).toMatchObject({ data: expect.anything() })
    await actions.waitForEmails()
  })
  .extend('moneyTo', { scope: 'file' }, ({ inbox, actions }) => async (address: string) => {
    await actions.waitForEmails()
    return (await inbox.mailsTo(address)).filter(({ text }) => /[$]\d|\/stripe\/invoices\//.test(text))
  })

it.afterEach(({ actions }) => actions.cancelAll())

describe('an email about a payment', () => {
  it('waits until the member proves the address, and says so', async ({
    payments,
    site,
    inbox,
    ben,
    prove,
    moneyTo,
  }) => {
    await payments.subscribe(ben, testPrices.monthly)
    expect(await moneyTo(ben.email)).toEqual([])
    const asked = await inbox.mailTo(ben.email, 'We have an email about your Tidings account')
    expect(asked.subject).toBe(waiting)
    expect(asked.text).not.toMatch(/plan|pay|receipt/i)
    // Longer than other emails are kept.
    site.clock.pass(20 * dayMs)
    await site.context.removeOld()
    await prove(ben)
    const [receipt, ...more] = await moneyTo(ben.email)
    expect(more).toEqual([])
    expect(receipt?.text).toContain(welcome)
    expect(receipt?.text).toContain(
      'This email is from November 20, 2026. It waited until you confirmed your address.',
    )
  })

  it('asks once for the proof, however many emails wait, and loses none', async ({
    payments,
    actions,
    stripe,
    inbox,
    ben,
    prove,
  }) => {
    await payments.subscribe(ben, testPrices.monthly)
    const { id } = await actions.subscriptionOf(ben)
    await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    await payments.settle()
    await actions.waitForEmails()
    const subjects = async () => (await inbox.mailsTo(ben.email)).map(({ subject }) => subject)
    expect((await subjects()).filter((subject) => subject === waiting)).toHaveLength(1)
    await prove(ben)
    expect((await subjects()).join()).toContain(`Your Tidings plan ends on`)
    expect((await subjects()).join()).toContain('Welcome to Tidings: your plan is active')
  })

  it('goes to the last proved address while a new one is not proved', async ({
    payments,
    actions,
    ann,
    changeAddress,
    moneyTo,
  }) => {
    await payments.subscribe(ann, testPrices.monthly)
    await changeAddress(ann, 'unproved@example.com')
    await changeAddress(ann, 'unproved-either@example.com')
    await actions.changeCard(ann, testCards.failsLater)
    await actions.pass(32)
    const mails = await moneyTo(ann.email)
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Your payment to Tidings failed',
      'Welcome to Tidings: your plan is active',
    ])
    expect(await moneyTo('unproved@example.com')).toEqual([])
    expect(await moneyTo('unproved-either@example.com')).toEqual([])
  })

  it('waits if the former address was not proved either', async ({
    payments,
    ben,
    changeAddress,
    moneyTo,
    prove,
  }) => {
    const moved = { ...ben, email: `moved-${ben.email}` }
    await changeAddress(ben, moved.email)
    await payments.subscribe(moved, testPrices.monthly)
    expect([...(await moneyTo(ben.email)), ...(await moneyTo(moved.email))]).toEqual([])
    await prove(moved)
    expect(await moneyTo(moved.email)).toHaveLength(1)
    expect(await moneyTo(ben.email)).toEqual([])
  })

  it('is removed with the account', async ({ payments, members, db, ben }) => {
    await payments.subscribe(ben, testPrices.monthly)
    expect(await db.outboxEmail.count({ where: { heldFor: ben.memberId } })).toBe(1)
    await members.call('DELETE', '/member', { headers: ben.headers })
    await payments.settle()
    expect(await db.outboxEmail.count({ where: { heldFor: ben.memberId } })).toBe(0)
  })

  it('is not left waiting by a proof at the same time', async ({ payments, site, ben, prove, moneyTo }) => {
    await payments.subscribe(ben, testPrices.monthly)
    const app = site.context.apps
    const { byId } = await app.directory()
    const siteApp = byId.get(site.context.config.site.appId)
    if (siteApp === undefined) throw new Error('There is no app')
    const email = {
      kind: 'refund',
      amount: 499,
      currency: 'usd',
      status: 'refunded',
      isSecond: true,
    } as const
    const enqueue = (number: number) =>
      site.context.database.transaction((tx) =>
        site.context.emails.enqueueToProved(tx, siteApp, ben.memberId, email, { cause: `race ${number}` }),
      )
    await Promise.all([prove(ben), ...Array.from({ length: 10 }, (_, number) => enqueue(number))])
    expect(await moneyTo(ben.email)).toHaveLength(11)
  })
})
