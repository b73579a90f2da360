import { afterAll, describe, expect, vi } from 'vitest'
import { z } from 'zod'
import { queryRows } from '#platform/query-rows.ts'
import { dumpDatabase } from '#test/faults/database-dump.ts'
import { paymentMailTest } from '#test/fixtures.ts'
import type { TestMember, TestMembers } from '#test/membership.ts'
import { createDeletionActions } from '#test/payments/deletion-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { startPhones } from '#test/sms/phones.ts'
import type { TestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

const phones = await startPhones()
afterAll(() => phones.stop())

const it = paymentMailTest({ env: phones.env }).extend('accounts', { scope: 'file' }, createDeletionActions)

const held = { status: 503, body: { error: { code: 'sending-held' } } }

/** Replaces all rows by those of a dump, as `pg_restore` does in place, while the site runs. */
async function restore({ context }: TestApp): Promise<void> {
  const { url } = context.config.database
  const dump = await dumpDatabase(url)
  await dump.restoreInto(url)
  expect(await context.sendingGuard.read()).toBe('restored')
}

/** Returns how often each job was tried that waits because sending is held. */
async function triesOf({ context }: TestApp, name: string): Promise<number[]> {
  const rows = await queryRows(context.database.db, z.object({ tries: z.int(), left: z.int() }))`
    SELECT retry_count AS tries, retry_limit - retry_count AS left FROM jobs.job
    WHERE name = ${name} AND state = 'retry' AND output ->> 'message' = 'sending-held'`
  // Trying again costs nothing of the day of retries.
  expect(rows.every(({ left }) => left >= 1_440)).toBe(true)
  return rows.map(({ tries }) => tries)
}

async function untilHeld(site: TestApp, names: string[], tries = 1): Promise<void> {
  await vi.waitFor(async () => {
    for (const name of names) {
      const found = await triesOf(site, name)
      expect(found.length, name).toBeGreaterThan(0)
      expect(Math.min(...found), name).toBeGreaterThanOrEqual(tries)
    }
  }, waitOptions)
}

function phoneOf(members: TestMembers, { headers }: TestMember) {
  const call = (path: string, body: object = {}) =>
    members.call('POST', `/member/phone/${path}`, { headers, body })
  return { requestCode: () => call('verification'), verify: (code: string) => call('verify', { code }) }
}

async function enqueueEmail({ context }: TestApp, { email }: TestMember): Promise<void> {
  const app = (await context.apps.directory()).byId.get(context.config.site.appId)
  if (app === undefined) throw new Error('The site has no app.')
  await context.database.transaction((tx) =>
    context.emails.enqueue(tx, app, email, { kind: 'email-waiting' }),
  )
}

const codeIn = (text = '') => /^\d{6}/.exec(text)?.[0] ?? ''
const statusAndBody = (reply: { statusCode: number; json(): unknown }) => ({
  status: reply.statusCode,
  body: reply.json(),
})

describe('a site whose database was restored', () => {
  it('sends no code, email or text and changes nothing at Stripe, until it is confirmed: then each once', async ({
    site,
    members,
    payments,
    actions,
    accounts,
    stripe,
    inbox,
  }) => {
    const number = '+12025557301'
    const ann = await members.signUp({ customFields: { phone: number } })
    const carl = await members.signUp({ email: 'carl@example.com' })
    const ben = await accounts.subscribe()
    const pages = [
      await payments.openCheckout(ann, testPrices.monthly),
      await payments.openSecondCheckout(ann, testPrices.monthly),
    ]
    const texting = phoneOf(members, ann)
    expect((await texting.requestCode()).statusCode).toBe(200)
    const [text] = await phones.textsTo(number)
    await actions.waitForEmails()
    await payments.settle()
    await restore(site)
    await inbox.clear()

    // A code is requested, an email stored, a number verified, an account deleted, and Ann pays twice.
    const reset = await members.call('POST', '/auth/send-reset-password-email', {
      body: { email: carl.email },
    })
    expect(reset.statusCode).toBe(200)
    await enqueueEmail(site, carl)
    expect((await texting.verify(codeIn(text))).statusCode).toBe(200)
    expect((await accounts.delete(ben)).statusCode).toBe(200)
    for (const page of pages) {
      await payments.controls.completeCheckout(page)
      site.clock.pass(1_000)
    }
    await untilHeld(site, [
      'auth.send-code',
      'mail.send-email',
      'delivery.confirm-program',
      'billing.sync-customer',
      'account-deletion.close',
    ])
    await untilHeld(site, ['auth.send-code', 'billing.sync-customer'], 3)

    const customer = await actions.customerOf(ann)
    expect(await inbox.mailsTo(carl.email)).toEqual([])
    expect(await phones.textsTo(number)).toEqual([text])
    expect((await stripe.refunds.list()).data).toEqual([])
    expect(await accounts.statusesOf(customer)).toEqual(['active', 'active'])
    expect(await accounts.statusesOf(ben.customer)).toEqual(['active'])

    await site.context.deliveryOperations.confirmInstance()
    await inbox.mailTo(carl.email, '', 2)
    await vi.waitFor(async () => expect(await phones.textsTo(number)).toHaveLength(2), waitOptions)
    await accounts.waitUntilClosed(ben)
    await payments.settle()
    await actions.waitForEmails()

    expect(await inbox.mailsTo(carl.email)).toHaveLength(2)
    expect(await phones.textsTo(number)).toHaveLength(2)
    expect((await accounts.statusesOf(customer)).sort()).toEqual(['active', 'canceled'])
    expect(await actions.refundedOf(customer)).toEqual([0, 499])
    expect(await accounts.customerAtStripe(ben.customer)).toMatchObject({ deleted: true })
    expect(await accounts.statusesOf(ben.customer)).toEqual(['canceled'])
    const mails = await site.context.database.db.outboxEmail.findMany({ where: { sentAt: { not: null } } })
    for (const { id, recipient } of mails) {
      const received = await inbox.mailsTo(recipient)
      const copies = received.filter(({ headers }) => headers['message-id']?.includes(id))
      expect(copies.length).toBeLessThan(2)
    }
  })

  it('tells members who pay, open the portal or want a code by text to try again later', async ({
    site,
    members,
    payments,
    accounts,
  }) => {
    const dora = await accounts.subscribe()
    const eve = await members.signUp({ customFields: { phone: '+12025557302' } })
    await restore(site)
    const checkout = { priceId: testPrices.monthly }
    const calls = [
      phoneOf(members, eve).requestCode(),
      members.call('POST', '/member/plans/create-checkout-session', { headers: eve.headers, body: checkout }),
      members.call('POST', '/member/create-billing-portal-session', { headers: dora.headers, body: {} }),
    ]
    for (const call of calls) {
      const reply = await call
      expect(statusAndBody(reply)).toMatchObject(held)
      expect(reply.headers['retry-after']).toBe('60')
    }
    expect(await phones.textsTo('+12025557302')).toEqual([])

    await site.context.deliveryOperations.confirmInstance()
    expect((await phoneOf(members, eve).requestCode()).statusCode).toBe(200)
    expect(await phones.textsTo('+12025557302')).toHaveLength(1)
    await payments.openCheckout(eve, testPrices.monthly)
  })
})
