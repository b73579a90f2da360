import { describe, expect, it } from 'vitest'
import { isDatabaseUnavailable } from './database.ts'

/** Creates an error with the fields of a driver. */
function errorWith(message: string, fields: object = {}): Error {
  return Object.assign(new Error(message), fields)
}

describe('isDatabaseUnavailable', () => {
  it.each([
    ['a refused connection', errorWith('connect', { code: 'ECONNREFUSED' })],
    ['an unknown host', errorWith('getaddrinfo', { code: 'ENOTFOUND' })],
    [
      'a missing socket file',
      errorWith('connect ENOENT /run/x.5432', { code: 'ENOENT', syscall: 'connect' }),
    ],
    ['a shutdown', errorWith('terminating', { code: '57P01' })],
    ['a start-up', errorWith('the database system is starting up', { code: '57P03' })],
    ['too many connections', errorWith('sorry', { code: '53300' })],
    ['a broken connection', errorWith('Connection terminated unexpectedly')],
    ['a full pool', errorWith('timeout exceeded when trying to connect')],
    ["the client's own code", errorWith('x', { code: 'P1001' })],
    ['a transaction that cannot begin', errorWith('x', { code: 'P2028' })],
    ['a cause', new Error('failed', { cause: errorWith('x', { code: 'ECONNRESET' }) })],
    ['several attempts', new AggregateError([errorWith('x', { code: 'ECONNREFUSED' })], '')],
  ])('recognizes %s', (_name, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  it.each([
    ['an invalid query', errorWith('syntax error', { code: '42601' })],
    ['a violated constraint', errorWith('duplicate key', { code: '23505' })],
    ['a missing row', errorWith('x', { code: 'P2025' })],
    ['a missing file', errorWith('ENOENT: no such file, open /x', { code: 'ENOENT', syscall: 'open' })],
    ['a programming error', new TypeError('undefined is not a function')],
    ['a text', 'ECONNREFUSED'],
    ['nothing', undefined],
  ])('ignores %s', (_name, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false)
  })
})
