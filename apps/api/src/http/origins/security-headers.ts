import type { App } from '../app-type.ts'

/**
 * The headers of every reply. Browsers then don't guess its type, and no page or frame of the site gets these features.
 * Payments happen on Stripe's own pages.
 */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Permissions-Policy':
    'accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
} as const

/** Sets the headers of all replies but those of `sendCached` and of Node's own refusals, which set them themselves. */
export function registerSecurityHeaders(app: App): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(securityHeaders)
    done()
  })
}
