import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../platform/errors.ts'
import type { App } from './app-type.ts'
import { errorReplyOf } from './error-handler.ts'

/**
 * Answers what Node would refuse by itself without a body: a request of HTTP/1.1 without Host, for which the
 * server must be made with `requireHostHeader: false`, and an expectation that nobody knows.
 */
export function registerProtocolRefusals(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, httpVersion } = request.raw
    if (headers.host === undefined && httpVersion === '1.1') {
      done(new AppError('invalid-request', 400, 'The request lacks a Host header.'))
    } else {
      done()
    }
  })
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const failure = new AppError('invalid-request', 417, 'The only expectation known here is 100-continue.')
    const body = JSON.stringify(errorReplyOf(failure))
    response.writeHead(failure.status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    })
    response.end(body)
  })
}
