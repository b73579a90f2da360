import { describe, expect, it } from 'vitest'
import { isDatabaseUnavailable } from './database.ts'

/** An error with fields as drivers add them. */
function errorWith(message: string, fields: object = {}): Error {
  return Object.assign(new Error(message), fields)
}

describe('isDatabaseUnavailable', () => {
  it.each([
    ['a refused connection', errorWith('connect', { code: 'ECONNREFUSED' })],
    ['a host that is not there', errorWith('getaddrinfo', { code: 'ENOTFOUND' })],
    [
      'a socket file that is not there',
      errorWith('connect ENOENT /run/x.5432', { code: 'ENOENT', syscall: 'connect' }),
    ],
    ['a shutdown', errorWith('terminating', { code: '57P01' })],
    ['a start-up', errorWith('the database system is starting up', { code: '57P03' })],
    ['too many connections', errorWith('sorry', { code: '53300' })],
    ['a connection that broke', errorWith('Connection terminated unexpectedly')],
    ['a full pool', errorWith('timeout exceeded when trying to connect')],
    ["the client's own word", errorWith('x', { code: 'P1001' })],
    ['a transaction that could not begin', errorWith('x', { code: 'P2028' })],
    ['a cause', new Error('failed', { cause: errorWith('x', { code: 'ECONNRESET' }) })],
    ['several tries', new AggregateError([errorWith('x', { code: 'ECONNREFUSED' })], '')],
  ])('knows %s', (_name, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  it.each([
    ['a wrong query', errorWith('syntax error', { code: '42601' })],
    ['a broken rule', errorWith('duplicate key', { code: '23505' })],
    ['a missing row', errorWith('x', { code: 'P2025' })],
    ['a missing file', errorWith('ENOENT: no such file, open /x', { code: 'ENOENT', syscall: 'open' })],
    ['a fault of ours', new TypeError('undefined is not a function')],
    ['a text', 'ECONNREFUSED'],
    ['nothing', undefined],
  ])('takes %s for no absence', (_name, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false)
  })
})
