import type { IncomingMessage } from 'node:http'
import { deskSocket, liveFeed } from '@tidings/contracts/routes'
import { AppError } from '#platform/errors.ts'
import type { App } from '../app-type.ts'

const socketPaths: readonly (string | undefined)[] = [liveFeed.path, deskSocket.path]
const handshakeKey = /^[+/0-9A-Za-z]{22}==$/
const protocolNames = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/

/**
 * Returns whether a request is a valid WebSocket handshake of the live feed or the desk. Others are handled as HTTP, with
 * JSON errors.
 */
export function isSocketHandshake({ method, url, headers }: IncomingMessage): boolean {
  const protocols = headers['sec-websocket-protocol']
  return (
    method === 'GET' &&
    socketPaths.includes(url?.split('?')[0]) &&
    wantsWebSocket(headers) &&
    handshakeKey.test(headers['sec-websocket-key'] ?? '') &&
    ['8', '13'].includes(headers['sec-websocket-version'] ?? '') &&
    (protocols === undefined || protocolNames.test(protocols))
  )
}

/** Rejects WebSocket handshakes at other paths. */
export function refuseUpgradesElsewhere(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (wantsWebSocket(request.raw.headers) && !socketPaths.includes(request.routeOptions.url)) {
      done(new AppError('not-found', 404, `There is no WebSocket here. The live feed is ${liveFeed.path}.`))
    } else {
      done()
    }
  })
}

function wantsWebSocket({ upgrade }: IncomingMessage['headers']): boolean {
  return upgrade !== undefined && upgrade.toLowerCase() === 'websocket'
}
