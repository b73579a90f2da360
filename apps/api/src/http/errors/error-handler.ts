import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode, ErrorReply } from '@tidings/contracts/errors'
import { messages } from '@tidings/contracts/membership/messages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isDatabaseUnavailable } from '#platform/database.ts'
import { AppError, fail } from '#platform/errors.ts'
import { createRepeatedWarning, type Logger, reasonOf } from '#platform/logger.ts'
import type { Metrics } from '#platform/metrics.ts'
import { securityHeaders } from '../origins/security-headers.ts'

const frameworkErrors: Readonly<Record<string, readonly [ErrorCode, status: number, message: string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'payload-too-large',
    413,
    'This is too much to send at once. Make it shorter or smaller, and try again.',
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 415, 'Send the body as application/json.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid-request', 400, 'The body is empty; it must be JSON.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid-request', 400, 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid-request', 400, 'The body does not match Content-Length.'],
  FST_ERR_MAX_PARAM_LENGTH: ['invalid-request', 400, 'The path is too long.'],
  FST_ERR_BAD_URL: ['invalid-request', 400, 'The path is malformed.'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: [
    'unsupported-media-type',
    415,
    'Send the file as multipart/form-data.',
  ],
}

/** Converts an error for the requester; internal ones become `unknown-error`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isDatabaseUnavailable(error)) return fail('service-unavailable', error)
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation
    const field = (first?.instancePath ?? '').split('/').filter(Boolean).join('.')
    const text = first?.message ?? 'is not valid'
    if (field === '' && text.startsWith('Invalid input')) {
      return new AppError('invalid-request', 400, 'The body must be a JSON object.')
    }
    return new AppError('invalid-request', 400, field === '' ? text : `${field}: ${text}`)
  }
  const { code, statusCode } = codeAndStatus(error)
  const known = frameworkErrors[code]
  if (known !== undefined) return new AppError(...known)
  if (statusCode >= 400 && statusCode < 500) {
    return new AppError(
      'invalid-request',
      statusCode,
      'We couldn’t read this request. Reload the page and try again.',
    )
  }
  return new AppError('unknown-error', 500, messages.unexpected, { cause: error })
}

/** Returns the body of an error response. */
export function errorReplyOf({ code, message, details }: AppError): ErrorReply {
  return { error: { code, message, ...details } }
}

/** Sends errors in their one shape; logs internal ones, without anything the requester sent. */
export function createErrorHandler(logger: Logger, metrics: Metrics) {
  const warnOfDatabase = createRepeatedWarning(logger, 'database unavailable for requests')
  return function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    // The client disconnected before its request was complete, so no response can be sent.
    if (request.raw.destroyed && !request.raw.complete) return
    const failure = toAppError(error)
    metrics.refusals.inc({ code: failure.code, status: String(failure.status) })
    if (failure.status >= 500) {
      const route = request.routeOptions?.url ?? 'unknown'
      if (isDatabaseUnavailable(error)) {
        warnOfDatabase({
          reason: reasonOf(rootOf(error)),
          method: request.method,
          route,
          request: request.id,
        })
      } else if (failure.code === 'service-unavailable') {
        logger.warn({ err: error, method: request.method, route, request: request.id }, 'service unavailable')
      } else if (failure.code === 'unknown-error') {
        logger.error({ err: error, method: request.method, route, request: request.id }, 'request failed')
      }
    }
    if (reply.sent) return
    void reply
      .code(failure.status)
      .headers({ 'Cache-Control': 'no-store', ...failure.headers })
      .type('application/json; charset=utf-8')
      .serializer((payload: unknown) => JSON.stringify(payload))
      .send(errorReplyOf(failure))
  }
}

/** Returns the error that caused an error. */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error
}

/** Responds to what Node's parser rejects as HTTP. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const failure = clientFailure(error.code)
  const body = JSON.stringify(errorReplyOf(failure))
  // A slow client would otherwise keep its side of the connection open.
  const isLate = failure.status === 408
  socket.end(
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? 'Error'}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\nConnection: close\r\n' +
      Object.entries(securityHeaders)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('') +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => isLate && socket.destroy(),
  )
}

function clientFailure(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError('payload-too-large', 431, 'The headers are too large.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError('invalid-request', 408, 'The request did not arrive in time.')
  }
  return new AppError('invalid-request', 400, 'The request is not valid HTTP.')
}

function codeAndStatus(error: unknown): { code: string; statusCode: number } {
  if (typeof error !== 'object' || error === null) return { code: '', statusCode: 500 }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const statusCode = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  return { code, statusCode }
}
