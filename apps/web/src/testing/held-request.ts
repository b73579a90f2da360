import type { Route } from '@tidings/contracts/endpoint'
import { HttpHandler } from 'msw/http'
import { apiServer } from './api-handlers.ts'

/** Holds the next call of a route until it is released; the handlers of the site then respond. */
export function holdCall({ method, path }: Route) {
  const arrival = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const hold = async () => {
    arrival.resolve()
    await release.promise
  }
  apiServer.use(new HttpHandler(method, path, hold, { once: true }))
  return { arrived: arrival.promise, release: release.resolve }
}
