import { describe, expect, it } from 'vitest'
import { AppError, fail } from '#platform/errors.ts'
import { errorReplyOf, toAppError } from './error-handler.ts'

/** Creates an error as the framework or a library throws it. */
function errorWith(fields: object): Error {
  return Object.assign(new Error('internal words with hunter2 in them'), fields)
}

describe('toAppError', () => {
  it('returns an AppError unchanged', () => {
    const failure = new AppError('memo-not-found', 404, 'There is no such memo.')
    expect(toAppError(failure)).toBe(failure)
  })

  it.each([
    [errorWith({ code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }), 'payload-too-large', 413],
    [errorWith({ code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 }), 'unsupported-media-type', 415],
    [errorWith({ code: 'FST_ERR_CTP_INVALID_JSON_BODY', statusCode: 400 }), 'invalid-request', 400],
    [errorWith({ code: 'FST_ERR_BAD_URL', statusCode: 400 }), 'invalid-request', 400],
    [errorWith({ code: 'SOMETHING_NEW', statusCode: 418 }), 'invalid-request', 418],
    [errorWith({ code: 'SOMETHING_NEW', statusCode: 502 }), 'unknown-error', 500],
    [errorWith({ code: 'ECONNREFUSED' }), 'service-unavailable', 503],
    [errorWith({}), 'unknown-error', 500],
    ['a text that was thrown: hunter2', 'unknown-error', 500],
    [null, 'unknown-error', 500],
    [undefined, 'unknown-error', 500],
  ])('hides the details of %s', (thrown, code, status) => {
    const failure = toAppError(thrown)
    expect([failure.code, failure.status]).toEqual([code, status])
    expect(JSON.stringify(errorReplyOf(failure))).not.toMatch(/hunter2|internal words|\.ts/)
  })
})

describe('service-unavailable', () => {
  it('has a Retry-After header', () => {
    expect(fail('service-unavailable').headers['Retry-After']).toMatch(/^\d+$/)
  })
})
