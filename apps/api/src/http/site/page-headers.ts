import helmet from '@fastify/helmet'
import type { CaptchaConfig, Config } from '#config/config.ts'
import type { MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import type { App } from '../app-type.ts'

const tagManager = 'https://www.googletagmanager.com'
const analytics = ['https://*.google-analytics.com', 'https://*.analytics.google.com', tagManager]

const captchaSources: Partial<Record<CaptchaConfig['kind'], readonly string[]>> = {
  hcaptcha: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
  turnstile: ['https://challenges.cloudflare.com'],
  recaptcha: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
}

/**
 * Sets the headers of pages: only the site's own scripts and styles load, and what its membership dialogs need. No site may
 * frame them.
 * @param inline hashes of the page's own inline scripts and styles
 */
export async function registerPageHeaders(
  scope: App,
  { config, apps }: { config: Config; apps: Pick<MembershipApps, 'siteApp'> },
  inline: { scripts: readonly string[]; styles: readonly string[] } = { scripts: [], styles: [] },
): Promise<void> {
  const { site } = config
  const withTags = site.tagManagerId !== ''
  const socket = `${site.url.protocol === 'https:' ? 'wss' : 'ws'}://${site.url.host}`
  const captcha = captchaSourcesOf(config)
  let pictures: readonly string[] = []
  // The app's configuration can change at any time.
  scope.addHook('onRequest', async () => {
    pictures = await dialogPictureSources(config, apps).catch(() => pictures)
  })
  await scope.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...inline.scripts, ...captcha, ...(withTags ? [tagManager] : [])],
        styleSrc: ["'self'", ...inline.styles, ...captcha],
        frameSrc: ["'self'", ...captcha],
        imgSrc: ["'self'", 'data:', () => pictures.join(' '), ...(withTags ? analytics : [])],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", socket, ...captcha, ...(withTags ? analytics : [])],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Over plain HTTP, as in development, HSTS would lock readers out.
    strictTransportSecurity: site.url.protocol === 'https:' ? { maxAge: 31_536_000 } : false,
    // The billing and sign-in popups of other origins must keep their opener.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
  })
}

/** Returns the origins of the scripts, frames, calls and styles of the captcha in the membership dialogs. */
function captchaSourcesOf({ captcha }: Config): readonly string[] {
  return captchaSources[captcha.kind] ?? []
}

/** Returns the origins of the pictures in the membership dialogs: the app's logo and the icons of providers. */
async function dialogPictureSources(
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
