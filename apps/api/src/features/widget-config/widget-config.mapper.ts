import type { MembershipAppReply } from '@tidings/contracts/widget-config'
import type { CaptchaConfig } from '#config/config.ts'
import type { IdentityProviderConfig } from '#integrations/identity/identity-provider.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { toWirePlan } from '../plans/index.ts'
import { iconOf } from './provider-icons.ts'

/** What the settings add to what the app itself decides. */
export type AppSurroundings = {
  siteUrl: URL
  /** Whether only stand-ins for outside services are about. */
  isSandbox: boolean
  captcha: CaptchaConfig
  identityProviders: readonly IdentityProviderConfig[]
  contentGroups: MembershipAppReply['contentGroups']
}

/** An app in the wire's words. */
export function toWireApp(
  app: MembershipApp,
  surroundings: AppSurroundings,
  withSsoText: boolean,
): MembershipAppReply {
  const { captcha } = surroundings
  const asksCaptcha = captcha.kind !== 'off' && app.captcha !== false
  return {
    id: app.id,
    name: app.name,
    mode: surroundings.isSandbox ? 'sandbox' : 'live',
    isPaid: app.isPaid,
    branding: {
      logo: app.branding.logo,
      colors: { lightMode: { primaryButton: app.branding.primaryButton } },
    },
    customFields: app.customFields.map(({ key, label, hidden, visibility }, order) => ({
      key,
      label,
      hidden,
      order,
      visibility,
      restrictToAdmin: false,
    })),
    authProviders: offeredProviders(app, surroundings.identityProviders).map((provider, order) => ({
      provider: provider.key,
      name: provider.name,
      icon: iconOf(provider, surroundings.siteUrl),
      order,
    })),
    additionalAuthMethods: { passwordless: app.passwordless },
    allowMemberSelfDelete: app.allowMemberSelfDelete,
    captchaRequired: asksCaptcha,
    captcha: asksCaptcha
      ? { kind: captcha.kind, siteKey: 'siteKey' in captcha ? captcha.siteKey : null }
      : null,
    ssoSignupButtonURL: app.ssoSignupButtonURL,
    ...(withSsoText && app.ssoText !== null ? { ssoText: app.ssoText } : {}),
    plans: app.plans.map(toWirePlan),
    contentGroups: surroundings.contentGroups,
    translations: app.translations,
  }
}

/** The identity providers that an app offers, of those that are configured, in the app's order. */
function offeredProviders(
  app: MembershipApp,
  configured: readonly IdentityProviderConfig[],
): readonly IdentityProviderConfig[] {
  if (app.authProviders === null) return configured
  return app.authProviders.flatMap((key) => configured.filter((provider) => provider.key === key))
}
