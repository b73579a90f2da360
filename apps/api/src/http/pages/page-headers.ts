import helmet from '@fastify/helmet'
import type { Config } from '#config/config.ts'
import type { App } from '../app-type.ts'

const tagManager = 'https://www.googletagmanager.com'
const analytics = ['https://*.google-analytics.com', 'https://*.analytics.google.com', tagManager]

/**
 * Sets the headers of pages: only the site's own scripts and styles load, and no site may frame them.
 * @param inlineScripts hashes of the inline scripts that may run
 */
export async function registerPageHeaders(
  scope: App,
  site: Config['site'],
  inlineScripts: readonly string[] = [],
): Promise<void> {
  const withTags = site.tagManagerId !== ''
  const socket = `${site.url.protocol === 'https:' ? 'wss' : 'ws'}://${site.url.host}`
  await scope.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...inlineScripts, ...(withTags ? [tagManager] : [])],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', ...(withTags ? analytics : [])],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", socket, ...(withTags ? analytics : [])],
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
