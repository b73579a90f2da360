import type { IncomingMessage } from 'node:http'
import { randomIds } from '#platform/ids.ts'
import type { App } from '../app-type.ts'

export const requestIdHeader = 'X-Request-Id'

const validId = /^[\w-]{8,64}$/

/** Returns a function that names requests: by the id of a trusted proxy, or by one of our own. */
export function createRequestIds({ trustsProxy }: { trustsProxy: boolean }) {
  // Random once and counted then, because random bytes for each request cost more than a cached response.
  const prefix = randomIds.name().slice(0, 12)
  let count = 0
  return ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
    const given = headers['x-request-id']
    if (trustsProxy && typeof given === 'string' && validId.test(given)) return given
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}

/** Sends the id of each request with its response, where the log has it too. */
export function registerRequestIds(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(requestIdHeader, request.id)
    done()
  })
}
