import type { Logger } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { App } from './app-type.ts'

const slowMs = 2_000

/**
 * Counts every reply by route pattern, and logs it: each one at level debug, slow ones as a warning. Neither
 * holds an address, a query or who asked.
 */
export function registerRequestMetrics(app: App, metrics: Metrics, logger: Logger): void {
  const observers = new Map<string, { observe(seconds: number): void }>()
  const logsAll = logger.isLevelEnabled('debug')

  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const { method } = request
    const status = reply.statusCode
    const name = `${method} ${status} ${route}`
    let observer = observers.get(name)
    if (observer === undefined) {
      observer = metrics.requests.labels(method, route, String(status))
      observers.set(name, observer)
    }
    const ms = reply.elapsedTime
    // A socket's time is how long somebody stayed, not how long they waited.
    if (request.ws) return done()
    observer.observe(ms / 1000)
    if (ms > slowMs) logger.warn({ method, route, status, ms: Math.round(ms) }, 'a slow reply')
    else if (logsAll) logger.debug({ method, route, status, ms: Math.round(ms) }, 'a reply')
    done()
  })
}
