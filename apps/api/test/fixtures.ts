import { test } from 'vitest'
import { createTestDesk } from './desk.ts'
import { startInbox } from './mail/inbox.ts'
import { createTestMembers } from './membership.ts'
import { createPaymentActions } from './payments/payment-actions.ts'
import { withRoutes } from './route-table.ts'
import { startMailSite } from './sites/mail-site.ts'
import { type PaymentSite, type PaymentSiteOptions, startPaymentSite } from './sites/payment-site.ts'
import { startSignInSite } from './sites/sign-in-site.ts'
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.ts'
import { createTestDatabase } from './test-database.ts'

// Functions, because an override of a file would also reach the other files of its worker.

/** Returns the `it` of a file whose tests share one site on a database of its own. */
export function siteTest(options: Partial<TestAppOptions> = {}) {
  return test
    .extend('options', { scope: 'file' }, options)
    .extend('site', { scope: 'file' }, async ({ options }, { onCleanup }) => {
      const site = await startTestApp({ databaseUrl: await createTestDatabase(), ...options })
      onCleanup(() => site.close())
      return site
    })
    .extend('otherProcess', { scope: 'file' }, secondProcess(options))
    .extend('members', { scope: 'file' }, ({ site }) => createTestMembers(site))
    .extend('desk', { scope: 'file' }, ({ site }) => createTestDesk(site))
    .extend('db', { scope: 'file' }, ({ site }) => site.context.database.db)
}

/** Returns a fixture's function that starts another API process on the site's database. */
export function secondProcess(options: Omit<Partial<TestAppOptions>, 'databaseUrl'> = {}) {
  return async (
    { site }: { site: TestApp },
    { onCleanup }: { onCleanup: (close: () => Promise<void>) => void },
  ) => {
    const { database, mail } = site.context.config
    const second = await startTestApp({
      databaseUrl: database.url,
      ...options,
      env: { SMTP_URL: mail.smtpUrl ?? '', ...options.env },
    })
    onCleanup(() => second.close())
    return second
  }
}

/** Returns the `it` of a file whose tests share one site and the list of its routes. */
export function routesTest(env: Record<string, string> = {}) {
  return test
    .extend('env', { scope: 'file' }, env)
    .extend('started', { scope: 'file' }, async ({ env }, { onCleanup }) => {
      const databaseUrl = await createTestDatabase()
      const started = await withRoutes(() => startTestApp({ databaseUrl, env }))
      onCleanup(() => started.made.close())
      return started
    })
    .extend('site', { scope: 'file' }, ({ started }) => started.made)
    .extend('routes', { scope: 'file' }, ({ started }) => started.routes)
    .extend('members', { scope: 'file' }, ({ site }) => createTestMembers(site))
}

/** Returns the `it` of a file whose tests share one site with an inbox that receives its emails. */
export function mailTest(options: Partial<TestAppOptions> = {}) {
  return test
    .extend('options', { scope: 'file' }, options)
    .extend('mailSite', { scope: 'file' }, async ({ options }, { onCleanup }) => {
      const mailSite = await startMailSite(options)
      onCleanup(() => mailSite.close())
      return mailSite
    })
    .extend('site', { scope: 'file' }, ({ mailSite }) => mailSite.site)
    .extend('inbox', { scope: 'file' }, ({ mailSite }) => mailSite.inbox)
    .extend('flows', { scope: 'file' }, ({ mailSite }) => mailSite.flows)
    .extend('members', { scope: 'file' }, ({ site }) => createTestMembers(site))
    .extend('db', { scope: 'file' }, ({ site }) => site.context.database.db)
}

/** Returns the `it` of a file whose tests share one site with emulators of its identity providers and mail server. */
export function signInTest(env: Record<string, string> = {}) {
  return test
    .extend('env', { scope: 'file' }, env)
    .extend('signIn', { scope: 'file' }, async ({ env }, { onCleanup }) => {
      const signIn = await startSignInSite(env)
      onCleanup(() => signIn.close())
      return signIn
    })
    .extend('site', { scope: 'file' }, ({ signIn }) => signIn.site)
    .extend('members', { scope: 'file' }, ({ signIn }) => signIn.members)
    .extend('db', { scope: 'file' }, ({ site }) => site.context.database.db)
}

/** Returns the `it` of a file whose tests share one site with a Stripe emulator and synced prices. */
export function paymentTest(options: PaymentSiteOptions = {}) {
  return test
    .extend('options', { scope: 'file' }, options)
    .extend('payments', { scope: 'file' }, async ({ options }, { onCleanup }) => {
      const payments = await startPaymentSite(options)
      onCleanup(() => payments.close())
      return payments
    })
    .extend('actions', { scope: 'file' }, ({ payments }) => createPaymentActions(payments))
    .extend('site', { scope: 'file' }, ({ payments }) => payments.site)
    .extend('members', { scope: 'file' }, ({ payments }) => payments.members)
    .extend('stripe', { scope: 'file' }, ({ payments }) => payments.stripe)
    .extend('db', { scope: 'file' }, ({ site }) => site.context.database.db)
}

/** Returns a fixture's function that starts another API process on the payment site's database. */
export function secondPaymentProcess(options: Pick<TestAppOptions, 'working'> = {}) {
  return async (
    { payments }: { payments: PaymentSite },
    { onCleanup }: { onCleanup: (close: () => Promise<void>) => void },
  ) => {
    const { databaseUrl, env } = payments
    const second = await startTestApp({ databaseUrl, env, ...options })
    onCleanup(() => second.close())
    return second
  }
}

/** Returns the `it` of a file whose tests share one site with a Stripe emulator and an inbox that receives its emails. */
export function paymentMailTest(options: PaymentSiteOptions = {}) {
  return test
    .extend('options', { scope: 'file' }, options)
    .extend('mailPayments', { scope: 'file' }, async ({ options }, { onCleanup }) => {
      const inbox = await startInbox()
      const env = { SMTP_URL: inbox.smtpUrl, ...options.env }
      const payments = await startPaymentSite({ ...options, env })
      onCleanup(async () => {
        await payments.close()
        await inbox.stop()
      })
      return { inbox, payments }
    })
    .extend('inbox', { scope: 'file' }, ({ mailPayments }) => mailPayments.inbox)
    .extend('payments', { scope: 'file' }, ({ mailPayments }) => mailPayments.payments)
    .extend('actions', { scope: 'file' }, ({ payments }) => createPaymentActions(payments))
    .extend('site', { scope: 'file' }, ({ payments }) => payments.site)
    .extend('members', { scope: 'file' }, ({ payments }) => payments.members)
    .extend('stripe', { scope: 'file' }, ({ payments }) => payments.stripe)
    .extend('db', { scope: 'file' }, ({ site }) => site.context.database.db)
}
