import { test } from 'vitest'
import { createTestDesk } from './desk.ts'
import { startInbox } from './mail/inbox.ts'
import { createTestMembers, type TestMember } from './membership.ts'
import { createPaymentActions } from './payments/payment-actions.ts'
import { provedMembers } from './payments/proved-members.ts'
import { withRoutes } from './route-table.ts'
import { createCodeFlows } from './sign-in/code-flows.ts'
import { startMailSite } from './sites/mail-site.ts'
import {
  type PaymentSite,
  type PaymentSiteOptions,
  preparePaymentSite,
  startPaymentSite,
} from './sites/payment-site.ts'
import { createSharedSite } from './sites/shared-site.ts'
import { startSignInSite } from './sites/sign-in-site.ts'
import { startedTest } from './sites/started-test.ts'
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.ts'
import { createTestDatabase } from './test-database.ts'

/** The sites that the files of a worker share. */
const sharedSites = {
  plain: createSharedSite(() => startSite()),
  idle: createSharedSite(() => startSite({ working: false })),
  mail: createSharedSite(() => startMailSite()),
  signIn: createSharedSite(() => startSignInSite()),
  payments: createSharedSite(() => preparePaymentSite()),
}

async function startSite(options: Partial<TestAppOptions> = {}) {
  const site = await startTestApp({ databaseUrl: await createTestDatabase(), ...options })
  return { site, expectNoErrors: site.expectNoErrors, close: site.close }
}

/** Returns the site that the files of a worker share, unless the options are those of this file alone. */
function sharedSiteFor({ working = true, ...own }: Partial<TestAppOptions>) {
  if (Object.keys(own).length > 0) return null
  return working ? sharedSites.plain : sharedSites.idle
}

/** Returns the `it` of a file whose tests share one site. With an environment or overrides, the site is the file's own. */
export function siteTest(options: Partial<TestAppOptions> = {}) {
  return startedTest(sharedSiteFor(options), () => startSite(options))
    .extend('otherProcess', { scope: 'file' }, secondProcess(options))
    .extend('desk', { scope: 'file' }, ({ site }) => createTestDesk(site))
}

/** Returns a fixture's function that starts another API process on the site's database. */
export function secondProcess(options: Omit<Partial<TestAppOptions>, 'databaseUrl'> = {}) {
  return async (
    { site }: { site: TestApp },
    { onCleanup }: { onCleanup: (close: () => Promise<void>) => void },
  ) => {
    const { database, mail, site: address } = site.context.config
    // The guard holds a process whose site has another identity. Without SITE_URL, the identity has no port.
    const sameAddress = address.identity === address.url.origin ? { SITE_URL: address.url.origin } : {}
    const second = await startTestApp({
      databaseUrl: database.url,
      ...options,
      env: { ...sameAddress, SMTP_URL: mail.smtpUrl ?? '', ...options.env },
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
export function mailTest(options?: Partial<TestAppOptions>) {
  return startedTest(options === undefined ? sharedSites.mail : null, () => startMailSite(options))
    .extend('inbox', { scope: 'file' }, ({ started }) => started.inbox)
    .extend('flows', { scope: 'file' }, ({ site, inbox }) => createCodeFlows(site, inbox))
}

/** Returns the `it` of a file whose tests share one site with emulators of its identity providers and mail server. */
export function signInTest(env?: Record<string, string>) {
  return startedTest(env === undefined ? sharedSites.signIn : null, () => startSignInSite(env)).extend(
    'signIn',
    { scope: 'file' },
    ({ started }) => started,
  )
}

/** Returns the `it` of a file whose tests share one site with a Stripe emulator and synced prices. */
export function paymentTest(options?: PaymentSiteOptions) {
  return startedTest(options === undefined ? sharedSites.payments : null, () => startPaymentSite(options))
    .extend('payments', { scope: 'file' }, ({ started }) => started)
    .extend('actions', { scope: 'file' }, ({ payments }) => createPaymentActions(payments))
    .extend('stripe', { scope: 'file' }, ({ payments }) => payments.stripe)
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

/** Returns the `it` of a file whose tests share one site with a Stripe emulator and an inbox. Its members have proved addresses. */
export function paymentMailTest(options: PaymentSiteOptions = {}) {
  return startedTest(null, async () => {
    const inbox = await startInbox()
    const env = { SMTP_URL: inbox.smtpUrl, ...options.env }
    const payments = await startPaymentSite({ ...options, env })
    return {
      ...payments,
      inbox,
      async close() {
        await payments.close()
        await inbox.stop()
      },
    }
  })
    .extend('inbox', { scope: 'file' }, ({ started }) => started.inbox)
    .extend('payments', { scope: 'file' }, ({ started }) => started)
    .extend('members', { scope: 'file' }, ({ started }) => provedMembers(started.members, started.site))
    .extend('actions', { scope: 'file' }, ({ payments, members }) =>
      createPaymentActions({ ...payments, members }),
    )
    .extend('stripe', { scope: 'file' }, ({ payments }) => payments.stripe)
    .extend('emailsTo', { scope: 'file' }, ({ inbox, actions }) => async ({ email }: TestMember) => {
      await actions.waitForEmails()
      // Oldest first, without those with codes.
      const mails = await inbox.mailsTo(email)
      return mails.filter(({ subject }) => !subject.endsWith('code')).reverse()
    })
}
