import { http } from 'msw/http'
import { apiServer } from './api-handlers.ts'

/** Holds the next `POST` of a path until it is released; the handlers of the site then respond. */
export function holdPost(path: string) {
  const arrival = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const hold = async () => {
    arrival.resolve()
    await release.promise
  }
  apiServer.use(http.post(path, hold, { once: true }))
  return { arrived: arrival.promise, release: release.resolve }
}
