import type { Metrics } from '../platform/metrics.ts'
import type { App } from './app-type.ts'

/** Counts every reply by route pattern, never by address, and remembers the counters of each pattern. */
export function registerRequestMetrics(app: App, metrics: Metrics): void {
  const observers = new Map<string, { observe(seconds: number): void }>()
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const name = `${request.method} ${reply.statusCode} ${route}`
    let observer = observers.get(name)
    if (observer === undefined) {
      observer = metrics.requests.labels(request.method, route, String(reply.statusCode))
      observers.set(name, observer)
    }
    observer.observe(reply.elapsedTime / 1000)
    done()
  })
}
