import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode, ErrorReply } from '@tidings/contracts/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isDatabaseUnavailable } from '../platform/database.ts'
import { AppError, fail } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'

/** Fastify's own failures in this site's words, by their code. */
const frameworkCodes: Readonly<Record<string, { code: ErrorCode; status: number; message: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'payload-too-large',
    status: 413,
    message: 'The request is larger than this address takes.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported-media-type',
    status: 415,
    message: 'This address takes another content type; most take application/json.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    code: 'invalid-request',
    status: 400,
    message: 'The body is empty; JSON was expected.',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: {
    code: 'invalid-request',
    status: 400,
    message: 'The body is not valid JSON.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid-request',
    status: 400,
    message: 'The body is not as long as Content-Length says.',
  },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'invalid-request', status: 400, message: 'The address is too long.' },
  FST_ERR_BAD_URL: { code: 'invalid-request', status: 400, message: 'The address is not well formed.' },
  FST_REQ_FILE_TOO_LARGE: {
    code: 'file-size-too-large',
    status: 413,
    message: 'The file is larger than 4,000,000 bytes.',
  },
  FST_INVALID_MULTIPART_CONTENT_TYPE: {
    code: 'unsupported-media-type',
    status: 415,
    message: 'A file is sent as multipart/form-data.',
  },
}

/** The failure as the caller may know it. Whatever is not meant for callers becomes `unknown-error`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isDatabaseUnavailable(error)) return fail('service-unavailable', error)
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation
    const field = (first?.instancePath ?? '').split('/').filter(Boolean).join('.')
    const text = first?.message ?? 'is not valid'
    if (field === '' && text.startsWith('Invalid input')) {
      return new AppError('invalid-request', 400, 'A JSON object is expected as the body.')
    }
    return new AppError('invalid-request', 400, field === '' ? text : `${field}: ${text}`)
  }
  const { code, statusCode } = codeAndStatus(error)
  const known = frameworkCodes[code]
  if (known !== undefined) return new AppError(known.code, known.status, known.message)
  if (statusCode >= 400 && statusCode < 500) {
    return new AppError('invalid-request', statusCode, 'The request could not be understood.')
  }
  return new AppError('unknown-error', 500, 'An error occurred', { cause: error })
}

/** The body of every failure. */
export function errorReplyOf({ code, message, details }: AppError): ErrorReply {
  return { error: { code, message, ...details } }
}

/** Answers a failure in the one shape; logs those that are ours, never with what the caller sent. */
export function createErrorHandler(logger: Logger, metrics: Metrics) {
  return function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    // The client disconnected before its request was complete: nothing failed here, and no reply can be sent.
    if (request.raw.destroyed && !request.raw.complete) return
    const failure = toAppError(error)
    metrics.refusals.inc({ code: failure.code, status: String(failure.status) })
    if (failure.status >= 500) {
      const route = request.routeOptions?.url ?? 'unknown'
      if (failure.code === 'service-unavailable') {
        logger.warn(
          { err: error, method: request.method, route, request: request.id },
          'something that a request needs is away',
        )
      } else if (failure.code === 'unknown-error') {
        logger.error({ err: error, method: request.method, route, request: request.id }, 'a request failed')
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

/** Answers what Node's parser could not read as HTTP at all. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const failure = clientFailure(error.code)
  const body = JSON.stringify(errorReplyOf(failure))
  // A client that is too slow would otherwise keep its side open; its request ends with the connection.
  const isLate = failure.status === 408
  socket.end(
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? 'Error'}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\nConnection: close\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => isLate && socket.destroy(),
  )
}

function clientFailure(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError('payload-too-large', 431, 'The headers are larger than this server takes.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError('invalid-request', 408, 'The request did not arrive in time.')
  }
  return new AppError('invalid-request', 400, 'The request is not well-formed HTTP.')
}

function codeAndStatus(error: unknown): { code: string; statusCode: number } {
  if (typeof error !== 'object' || error === null) return { code: '', statusCode: 500 }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const statusCode = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  return { code, statusCode }
}
