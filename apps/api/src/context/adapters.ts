import { availableParallelism } from 'node:os'
import path from 'node:path'
import { receiveSmsStatus } from '@tidings/contracts/delivery/sms-webhooks'
import type { Config } from '../config/config.ts'
import { findPaymentAccount } from '../features/billing/index.ts'
import { networksOf } from '../http/limits/networks.ts'
import { createAltchaCaptchaVerifier } from '../integrations/captcha/altcha-captcha-verifier.ts'
import type { CaptchaVerifier, ClaimSolution } from '../integrations/captcha/captcha-verifier.ts'
import { createSiteverifyCaptchaVerifier } from '../integrations/captcha/siteverify-captcha-verifier.ts'
import type { DnsLookup } from '../integrations/dns/dns-lookup.ts'
import { createNodeDnsLookup } from '../integrations/dns/node-dns-lookup.ts'
import {
  createIdentityProviders,
  newFlowSecrets,
} from '../integrations/identity/configured-identity-providers.ts'
import type { LinkChecker } from '../integrations/links/link-checker.ts'
import type { BounceHandler } from '../integrations/mail/bounce-receiver.ts'
import type { BulkMailer } from '../integrations/mail/bulk-mailer.ts'
import type { MailServer } from '../integrations/mail/mail-server.ts'
import type { Mailer } from '../integrations/mail/mailer.ts'
import { createNoMailer } from '../integrations/mail/no-mailer.ts'
import { createSmtpBounceReceiver } from '../integrations/mail/smtp-bounce-receiver.ts'
import { createSmtpBulkMailer } from '../integrations/mail/smtp-bulk-mailer.ts'
import { createSmtpMailServer } from '../integrations/mail/smtp-mail-server.ts'
import { createSmtpMailer } from '../integrations/mail/smtp-mailer.ts'
import { createWebhookVerifier } from '../integrations/mail/standard-webhooks.ts'
import type { PasskeySite, PasskeyVerifier } from '../integrations/passkeys/passkey-verifier.ts'
import type { InspectAccount } from '../integrations/payments/account-inspection.ts'
import { PaymentsUnavailableError } from '../integrations/payments/gateway-errors.ts'
import { createLazyPaymentGateway } from '../integrations/payments/lazy-payment-gateway.ts'
import { createNoPaymentGateway } from '../integrations/payments/no-payment-gateway.ts'
import type { PaymentGateway } from '../integrations/payments/payment-gateway.ts'
import { createTypstPdfRenderer } from '../integrations/pdf/typst-pdf-renderer.ts'
import type { PictureEncoder } from '../integrations/pictures/picture-encoder.ts'
import { createNoPushSender } from '../integrations/push/no-push-sender.ts'
import { type PushSender, pushConcurrency } from '../integrations/push/push-sender.ts'
import { createNoSmsSender } from '../integrations/sms/no-sms-sender.ts'
import type { SmsSender } from '../integrations/sms/sms-sender.ts'
import { createTwilioSmsSender } from '../integrations/sms/twilio-sms-sender.ts'
import { createTwilioWebhookVerifier } from '../integrations/sms/twilio-webhooks.ts'
import { createDiskUploadSpool } from '../integrations/storage/disk-upload-spool.ts'
import type { Clock } from '../platform/clock.ts'
import { lazily } from '../platform/lazily.ts'
import { createPasswords } from '../platform/passwords/passwords.ts'
import {
  guardBulkMailer,
  guardGateway,
  guardMailer,
  guardPushSender,
  guardSmsSender,
} from './guarded-roles.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { ContextOverrides } from './overrides.ts'
import { createStores } from './stores.ts'

export type Adapters = ReturnType<typeof createAdapters>

/** Creates the adapter of each integration from the settings. */
export function createAdapters(infrastructure: Infrastructure, overrides: ContextOverrides) {
  const { config, clock, ids, logger, sendingGuard: guard } = infrastructure
  const mailer = overrides.mailer ?? createMailer(config, clock)
  return {
    ...createStores(infrastructure, overrides),
    uploads: createDiskUploadSpool({ folder: path.join(config.dataDir, 'uploads'), clock, ids }),
    pdfRenderer: createTypstPdfRenderer({ file: config.locations.pdfCompiler, logger }),
    encoder: overrides.encoder ?? createEncoder(config),
    smtpServers: createMailServers(config),
    mailer: guardMailer(mailer, guard),
    /** Only for emails to the operator, which report a hold and contain nothing of members (ADR 98). */
    operatorMailer: mailer,
    bulkMailer: guardBulkMailer(overrides.bulkMailer ?? createBulkMailer(config, clock), guard),
    smsSender: guardSmsSender(overrides.smsSender ?? createSmsSender(config, clock), guard),
    pushSender: guardPushSender(overrides.pushSender ?? createPushSender(config, clock), guard),
    linkChecker: overrides.linkChecker ?? createLinkChecker(config),
    verifySmsWebhook: createTwilioWebhookVerifier(config.sms.account),
    createBounceReceiver: (handler: BounceHandler) =>
      createSmtpBounceReceiver({
        port: config.mail.bounceSmtpPort,
        relays: config.mail.bounceRelays,
        readerFile: config.locations.reportReader,
        networkOf: (address) => networksOf(address)[0].name,
        handler,
        clock,
        logger,
      }),
    verifyMailWebhook: createWebhookVerifier({ secret: config.mail.webhookSecret, clock }),
    gateway: guardGateway(overrides.gateway ?? createGateway(infrastructure), guard),
    inspectAccount: createInspection(infrastructure),
    /** For requests: fewer retries than for jobs. */
    interactiveGateway: guardGateway(
      overrides.gateway ?? createGateway(infrastructure, { retries: 1 }),
      guard,
    ),
    passwords:
      overrides.passwords ??
      createPasswords({
        ...config.passwords,
        concurrency: config.passwords.concurrency || hashesAtOnce(availableParallelism()),
        hasherFile: config.locations.hasher,
        logger,
      }),
    identityProviders: createIdentityProviders(config.identityProviders),
    newFlowSecrets,
    createCaptcha: (claim: ClaimSolution) => createCaptcha(infrastructure, claim),
    createPasskeys,
  }
}

/** Asks these DNS servers; for a command, which has no context. */
export function createDns(servers: readonly string[]): DnsLookup {
  return createNodeDnsLookup(servers)
}

/** Leaves a core to everything else where there are more than two. */
function hashesAtOnce(cores: number): number {
  return cores > 2 ? cores - 1 : cores
}

function createMailer({ mail }: Config, clock: Clock): Mailer {
  return mail.smtpUrl === null
    ? createNoMailer()
    : createSmtpMailer({ url: mail.smtpUrl, from: mail.from, clock, dkim: mail.dkim })
}

/** Editions may have a server of their own. */
function createMailServers({ mail: { smtpUrl, bulkSmtpUrl } }: Config): MailServer[] {
  const urls = new Set([smtpUrl, bulkSmtpUrl].filter((url) => url !== null))
  return [...urls].map(createSmtpMailServer)
}

/** Loads libvips with the first picture: it takes 14 MB, and workers encode none. */
function createEncoder({ locations }: Config): PictureEncoder {
  const open = lazily(async () => {
    const { createSharpPictureEncoder } = await import('../integrations/pictures/sharp-picture-encoder.ts')
    return createSharpPictureEncoder({ heicDecoder: locations.heicDecoder })
  })
  return { encode: async (source, use) => await (await open()).encode(source, use) }
}

function createBulkMailer({ mail }: Config, clock: Clock): BulkMailer {
  const { bulkSmtpUrl: url, bulkConnections: connections, bulkPerSecond: perSecond, from, dkim } = mail
  return createSmtpBulkMailer({ url, from, clock, connections, perSecond, dkim })
}

function isLocalAddress({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

function createSmsSender({ sms, site }: Config, clock: Clock): SmsSender {
  const { account, connections: concurrency, from, perSecond } = sms
  const apiUrl = sms.apiUrl === null ? null : new URL(sms.apiUrl)
  // Twilio refuses a text whose callback it can't reach.
  const isReachable = apiUrl !== null || !isLocalAddress(site.url)
  const statusUrl = isReachable ? new URL(receiveSmsStatus.path, site.url.origin) : null
  return account === null
    ? createNoSmsSender()
    : createTwilioSmsSender({ account, from, apiUrl, statusUrl, concurrency, perSecond, clock })
}

/** Loads web-push and undici with the first notification: they take 40 MB and 200 ms. */
function createPushSender({ push: { vapid, ...calls } }: Config, clock: Clock): PushSender {
  if (vapid === null) return createNoPushSender()
  const settings = { vapid, ...calls, clock }
  const open = lazily(async () => {
    const { createWebPushSender } = await import('../integrations/push/web-push-sender.ts')
    return createWebPushSender(settings)
  })
  return {
    concurrency: pushConcurrency,
    publicKey: vapid.publicKey,
    accepts: async (subscription) => await (await open()).accepts(subscription),
    async send(subscription, message) {
      const sender = await open().catch(() => null)
      if (sender !== null) return await sender.send(subscription, message)
      return {
        outcome: 'temporary',
        code: 'load',
        response: 'The sender could not be loaded.',
        retryAt: null,
      }
    },
  }
}

/** Loads undici with the first check. */
function createLinkChecker({ site }: Config): LinkChecker {
  const open = lazily(async () => {
    const { createHttpLinkChecker } = await import('../integrations/links/http-link-checker.ts')
    return createHttpLinkChecker({ siteUrl: site.url })
  })
  return { check: async (url) => await (await open()).check(url) }
}

/** Loads Stripe's SDK with the first call: it takes 30 MB and 200 ms. */
function createGateway(
  { config: { payments }, clock, logger, database }: Infrastructure,
  retryPolicy: { retries?: number } = {},
): PaymentGateway {
  const { stripe } = payments
  if (stripe === null) return createNoPaymentGateway()
  return createLazyPaymentGateway(async () => {
    const { createStripePaymentGateway } = await import(
      '../integrations/payments/stripe/stripe-payment-gateway.ts'
    )
    return createStripePaymentGateway({
      ...stripe,
      ...retryPolicy,
      clock,
      logger,
      findStored: () => findPaymentAccount(database.db),
    })
  })
}

function createInspection({ config: { payments }, logger }: Infrastructure): InspectAccount {
  const { stripe } = payments
  if (stripe === null)
    return () => Promise.reject(new PaymentsUnavailableError('STRIPE_SECRET_KEY is not set'))
  return async (known) => {
    const { createStripeInspection } = await import('../integrations/payments/stripe/inspection.ts')
    return await createStripeInspection({ ...stripe, logger })(known)
  }
}

function createCaptcha({ config, clock, ids }: Infrastructure, claim: ClaimSolution): CaptchaVerifier | null {
  const { captcha, secrets } = config
  const deps = { clock, ids, claim }
  if (captcha.kind === 'off') return null
  if (captcha.kind === 'altcha') return createAltchaCaptchaVerifier({ ...deps, secret: secrets.siteSecret })
  const { verifyUrl, ...settings } = captcha
  return createSiteverifyCaptchaVerifier({
    ...deps,
    ...settings,
    ...(verifyUrl === null ? {} : { url: verifyUrl }),
  })
}

/** Loads SimpleWebAuthn with the first passkey, because workers need none. */
function createPasskeys(site: PasskeySite): PasskeyVerifier {
  const open = lazily(async () => {
    const { createWebauthnPasskeyVerifier } = await import(
      '../integrations/passkeys/webauthn-passkey-verifier.ts'
    )
    return createWebauthnPasskeyVerifier(site)
  })
  return {
    creationOptions: async (...args) => await (await open()).creationOptions(...args),
    requestOptions: async (...args) => await (await open()).requestOptions(...args),
    verifyCreation: async (...args) => await (await open()).verifyCreation(...args),
    verifyAssertion: async (...args) => await (await open()).verifyAssertion(...args),
  }
}
