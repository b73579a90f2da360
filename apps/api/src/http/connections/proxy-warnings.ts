import type { FastifyRequest } from 'fastify'
import type { Config } from '#config/config.ts'
import type { Logger } from '#platform/logger.ts'
import type { App } from '../app-type.ts'

/** This many kinds of browsers rarely share an address. */
const manyBrowsers = 20

/**
 * Warns once when the proxies in front are not set up, as the limits of an address then count all readers together: when
 * their header is not trusted, and when browsers of many kinds have one address.
 */
export function registerProxyWarnings(
  app: App,
  { trustProxy, logger }: { trustProxy: Config['http']['trustProxy']; logger: Logger },
): void {
  const browsers = new Set<string>()
  let address: string | null = null
  let mayShare = true
  let mayIgnore = trustProxy === false

  function watchAddress({ ip, headers }: FastifyRequest): void {
    const browser = headers['user-agent']
    // Health checks and scripts come from addresses of their own.
    if (browser === undefined || !browser.startsWith('Mozilla/')) return
    address ??= ip
    browsers.add(browser)
    mayShare = ip === address && browsers.size < manyBrowsers
    if (ip !== address || mayShare) return
    const reason = `Browsers of ${manyBrowsers} kinds come from one address. Set TRUST_PROXY to the proxies in front.`
    logger.warn({ reason }, 'all readers share an address')
  }

  app.addHook('onRequest', (request, _reply, done) => {
    if (mayIgnore && request.headers['x-forwarded-for'] !== undefined) {
      mayIgnore = false
      const reason = 'X-Forwarded-For arrives while TRUST_PROXY is off. Set it to the proxies in front.'
      logger.warn({ reason }, 'proxy not trusted')
    }
    if (mayShare) watchAddress(request)
    done()
  })
}
