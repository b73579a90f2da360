import type { CaptchaConfig, Config } from '#config/config.ts'
import type { MembershipApps } from '#platform/membership-apps/membership-apps.ts'

const captchaSources: Partial<Record<CaptchaConfig['kind'], readonly string[]>> = {
  hcaptcha: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
  turnstile: ['https://challenges.cloudflare.com'],
  recaptcha: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
}

/** Returns the origins of the scripts, frames, calls and styles of the captcha in the membership dialogs. */
export function captchaSourcesOf({ captcha }: Config): readonly string[] {
  return captchaSources[captcha.kind] ?? []
}

/** Returns the origins of the pictures in the membership dialogs: the app's logo and the icons of providers. */
export async function dialogPictureSources(
  { identityProviders }: Config,
  apps: Pick<MembershipApps, 'siteApp'>,
): Promise<readonly string[]> {
  const { branding } = await apps.siteApp()
  const addresses = [branding.logo, ...identityProviders.map(({ icon }) => icon)]
  return addresses.flatMap((address) => originOf(address) ?? [])
}

/** Returns the origin of a web address; null for a path of this site and for anything else. */
function originOf(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.origin : null
}
