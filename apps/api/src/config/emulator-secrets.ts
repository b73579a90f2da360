import type { IdentityProviderConfig } from '../integrations/identity/identity-provider.ts'
import { ConfigurationError } from './env.ts'
import type { Settings } from './settings.ts'
import { emulatorSecrets, isCaptchaTestSecret } from './weak-secrets.ts'
import { webhookSecretsOf } from './webhook-secrets.ts'

/**
 * Stops a production boot in which a real service relies on a secret that everyone can read: forged webhooks would then be
 * accepted, or readers notified. The emulators of `COMPOSE_EMULATORS=on` have addresses of their own.
 */
export function refuseEmulatorSecrets(
  { environment, stripe, sms, captcha, push }: Settings,
  providers: readonly IdentityProviderConfig[],
): void {
  if (environment !== 'production') return
  const isStripe = !isEmulator(stripe.apiUrl, 'stripe.com')
  const isTwilio = !isEmulator(sms.apiUrl, 'twilio.com')
  const { stripeKey, stripeWebhookSecret, twilioSid, twilioToken, vapidPrivateKey } = emulatorSecrets
  const found = {
    STRIPE_SECRET_KEY: isStripe && stripe.secretKey === stripeKey,
    STRIPE_WEBHOOK_SECRET: isStripe && webhookSecretsOf(stripe.webhookSecret).includes(stripeWebhookSecret),
    TWILIO_ACCOUNT_SID: isTwilio && sms.accountSid === twilioSid,
    TWILIO_AUTH_TOKEN: isTwilio && sms.authToken === twilioToken,
    VAPID_PRIVATE_KEY: push.serviceUrl === null && push.privateKey === vapidPrivateKey,
    OIDC_PROVIDERS: providers.some(reliesOnEmulatorSecret),
    CAPTCHA_SECRET: captcha.kind !== 'off' && isCaptchaTestSecret(captcha.secret),
  }
  const names = Object.entries(found).flatMap(([name, isPublished]) => (isPublished ? [name] : []))
  if (names.length === 0) return
  throw new ConfigurationError(
    `These settings have the published secrets of emulators or tests, for a real service: ${names.join(', ')}. Set the secrets of the service.`,
  )
}

function isEmulator(apiUrl: string | null, service: string): boolean {
  return apiUrl !== null && !`.${new URL(apiUrl).hostname}`.endsWith(`.${service}`)
}

/** The identity emulator is reached over http, which no real provider is. */
function reliesOnEmulatorSecret(provider: IdentityProviderConfig): boolean {
  const isEmulators =
    'clientSecret' in provider && provider.clientSecret === emulatorSecrets.identityClientSecret
  return isEmulators && !addressOf(provider).startsWith('http:')
}

function addressOf(provider: IdentityProviderConfig): string {
  if (provider.kind === 'oidc') return provider.issuer
  return provider.kind === 'github' ? (provider.siteUrl ?? '') : ''
}
