import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '#platform/errors.ts'
import type { App } from '../app-type.ts'
import { errorReplyOf } from '../errors/error-handler.ts'
import { securityHeaders } from '../origins/security-headers.ts'

/** Rejects with a JSON body what Node would reject without one: a missing Host header and an unknown expectation. */
export function registerProtocolRefusals(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, httpVersion } = request.raw
    if (headers.host === undefined && httpVersion === '1.1') {
      done(new AppError('invalid-request', 400, 'The Host header is missing.'))
    } else {
      done()
    }
  })
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const failure = new AppError('invalid-request', 417, 'Only 100-continue is supported.')
    const body = JSON.stringify(errorReplyOf(failure))
    response.writeHead(failure.status, {
      ...securityHeaders,
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    })
    response.end(body)
  })
}
