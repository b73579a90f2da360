import type { MembershipAppReply } from '@tidings/contracts/membership/widget-config'
import type { CaptchaConfig } from '#config/config.ts'
import type { IdentityProviderConfig } from '#integrations/identity/identity-provider.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { type SalesTax, toWirePlan } from '../plans/index.ts'
import { iconUrl } from './provider-icons.ts'

/** The site's settings that are part of every app's configuration. */
export type SiteSettings = {
  siteUrl: URL
  isSandbox: boolean
  captcha: CaptchaConfig
  identityProviders: readonly IdentityProviderConfig[]
  tax: SalesTax
}

/** Returns an app's configuration in wire format, without the single sign-on text. */
export function toWireApp(
  app: MembershipApp,
  { siteUrl, isSandbox, captcha, identityProviders, tax }: SiteSettings,
  contentGroups: MembershipAppReply['contentGroups'],
): MembershipAppReply {
  const { id, name, isPaid, branding, allowMemberSelfDelete, ssoSignupButtonURL, translations } = app
  const siteKey = 'siteKey' in captcha ? captcha.siteKey : null
  const wireCaptcha = captcha.kind === 'off' || app.captcha === false ? null : { kind: captcha.kind, siteKey }
  return {
    id,
    name,
    isPaid,
    allowMemberSelfDelete,
    ssoSignupButtonURL,
    translations,
    contentGroups,
    mode: isSandbox ? 'sandbox' : 'live',
    branding: { logo: branding.logo, colors: { lightMode: { primaryButton: branding.primaryButton } } },
    customFields: app.customFields.map(({ key, label, hidden, visibility }, order) => {
      return { key, label, hidden, order, visibility, restrictToAdmin: false }
    }),
    authProviders: offeredProviders(app, identityProviders).map((provider, order) => {
      return { provider: provider.key, name: provider.name, icon: iconUrl(provider, siteUrl), order }
    }),
    additionalAuthMethods: { passwordless: app.passwordless },
    captchaRequired: wireCaptcha !== null,
    captcha: wireCaptcha,
    plans: app.plans.map((plan) => toWirePlan(plan, tax)),
  }
}

/** Returns the configured identity providers that an app offers, in the app's order. */
function offeredProviders(
  { authProviders }: MembershipApp,
  configured: readonly IdentityProviderConfig[],
): readonly IdentityProviderConfig[] {
  if (authProviders === null) return configured
  return authProviders.flatMap((key) => configured.filter((provider) => provider.key === key))
}
