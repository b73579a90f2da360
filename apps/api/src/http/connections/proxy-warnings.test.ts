import Fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { describe, expect, test } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { registerProxyWarnings } from './proxy-warnings.ts'

type Visit = { ip?: string; browser?: string; forwardedFor?: string }

/** Creates an app that is visited, and the messages that it logs. */
function createVisitedApp({ trustProxy }: { trustProxy: boolean }) {
  const log = createCapturedLog()
  const app = Fastify({ trustProxy }).withTypeProvider<ZodTypeProvider>()
  registerProxyWarnings(app, { trustProxy, logger: log.logger })
  app.get('/', async () => 'ok')
  return {
    async visit({ ip = '10.0.0.1', browser = 'curl/8', forwardedFor }: Visit): Promise<void> {
      const forwarded = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
      await app.inject({ url: '/', remoteAddress: ip, headers: { 'user-agent': browser, ...forwarded } })
    },
    messages: () => log.entries().map(({ msg }) => msg),
  }
}

const browsers = Array.from({ length: 25 }, (_, index) => `Mozilla/5.0 (browser ${index})`)

describe('registerProxyWarnings', () => {
  test('warns once when a proxy’s header is not trusted', async () => {
    const { visit, messages } = createVisitedApp({ trustProxy: false })
    await visit({})
    expect(messages()).toEqual([])
    await visit({ forwardedFor: '203.0.113.7' })
    await visit({ forwardedFor: '203.0.113.8' })
    expect(messages()).toEqual(['proxy not trusted'])
  })

  test('warns once when browsers of many kinds have one address', async () => {
    const { visit, messages } = createVisitedApp({ trustProxy: true })
    for (const browser of [...browsers, ...browsers]) await visit({ browser })
    expect(messages()).toEqual(['all readers share an address'])
  })

  test('is silent when browsers have addresses of their own behind a trusted proxy', async () => {
    const { visit, messages } = createVisitedApp({ trustProxy: true })
    for (const [index, browser] of browsers.entries())
      await visit({ browser, forwardedFor: `203.0.113.${index}` })
    expect(messages()).toEqual([])
  })

  test('counts neither health checks nor many visits of one browser', async () => {
    const { visit, messages } = createVisitedApp({ trustProxy: true })
    for (const index of browsers.keys()) await visit({ browser: `check/${index}` })
    for (const _ of browsers) await visit({ browser: 'Mozilla/5.0 (one)' })
    expect(messages()).toEqual([])
  })
})
