import type { Logger } from '#platform/logger.ts'
import type { Metrics } from '#platform/metrics.ts'
import type { App } from '../app-type.ts'

const slowMs = 2_000

/** Measures and logs every response by route pattern (slow ones as warnings), without addresses, queries or requesters. */
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
    // The time of a socket is no response time.
    if (request.ws) return done()
    observer.observe(ms / 1000)
    const facts = { method, route, status, ms: Math.round(ms), request: request.id }
    // The error handler counts requests that waited for an unavailable database.
    if (ms > slowMs && status !== 503) logger.warn(facts, 'slow response')
    else if (logsAll) logger.debug(facts, 'response')
    done()
  })
}
