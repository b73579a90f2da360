import { describe, expect, it } from 'vitest'
import { createLogger } from './logger.ts'

const feedToken = 'mC3kq-8_TzV0aYH5sWn2LxE7dRpUbJ4iGfO9hKtQw1c'
const secrets = [
  'reader@example.com',
  'open sesame',
  'tidings_gate=abc',
  'tdk_0123',
  'hunter2',
  feedToken,
  feedToken.slice(0, 37),
]

/** Creates a logger and returns its lines. */
function createTestLogger(level = 'trace') {
  const lines: string[] = []
  const logger = createLogger({ level, process: 'test' }, { write: (line) => void lines.push(line) })
  return { logger, lines }
}

/** Creates an error like the database driver's, which quotes a value of a row. */
function driverError(): Error {
  return Object.assign(new Error('Key (value)=(reader@example.com) already exists.'), {
    code: '23505',
    detail: 'reader@example.com',
    parameters: ['reader@example.com', 'hunter2'],
  })
}

describe('createLogger', () => {
  it('leaves out the stack of errors that have none', () => {
    const lines: string[] = []
    const hasNoStack = (error: unknown) => error instanceof TypeError
    const logger = createLogger(
      { level: 'info', process: 'test', hasNoStack },
      { write: (line) => void lines.push(line) },
    )
    logger.warn({ err: new Error('bug', { cause: new TypeError('away') }) }, 'failed')
    const { err } = JSON.parse(lines[0] ?? '')
    expect(err.stack).toContain('logger.test.ts')
    expect(err.cause).toEqual({ type: 'TypeError', message: 'away' })
  })

  it.each([
    ['a request', { req: { headers: { cookie: 'tidings_gate=abc' }, body: { password: 'open sesame' } } }],
    ['headers', { headers: { authorization: 'Bearer tdk_0123' } }],
    ['a body', { body: { tool: 'reader@example.com', password: 'open sesame' } }],
    ['a password', { password: 'open sesame' }],
    ['a password inside', { given: { password: 'open sesame' } }],
    ['a cookie', { cookie: 'tidings_gate=abc' }],
    ['a cookie inside', { given: { cookie: 'tidings_gate=abc' } }],
    ['an authorization', { authorization: 'Bearer tdk_0123' }],
    ['an authorization inside', { given: { authorization: 'Bearer tdk_0123' } }],
    ['an error of the driver', { err: driverError() }],
    ['an error and its cause', { err: new Error('failed', { cause: driverError() }) }],
    ['a string as an error', { err: 'reader@example.com' }],
    ['a database URL', { err: new Error('connect postgres://tidings:hunter2@db.internal:5432/x') }],
    ['a local database URL', { err: new Error('connect postgres://tidings:hunter2@localhost/x') }],
    ['an address in a list', { to: ['reader@example.com'] }],
    ['an address after a line break', { text: 'To:\nreader@example.com\n' }],
    ['a link in a text', { url: `/l/${feedToken.slice(0, 37)}` }],
    ['a link in a text, as Referer', { referer: `https://news.example/l/${feedToken.slice(0, 37)}?x=1` }],
    ['a link in a text in an error', { err: new Error(`GET /l/${feedToken.slice(0, 37)} failed`) }],
    ['a link to A4 pages', { url: `/l/a4/${feedToken}.20900.${feedToken}` }],
    ['a long link', { url: `/l/view/${'a'.repeat(300)}${feedToken}` }],
    ['a link inside an address', { url: `/x?next=%2Fl%2Fpdf%2F${feedToken}` }],
    ['a text link inside an address', { url: `/x?next=%252fl%252f${feedToken.slice(0, 37)}` }],
    ['a link in an email', { url: `/l/unsubscribe/${feedToken}.20900.${feedToken}` }],
    ['the address of a feed', { url: `/feeds/${feedToken}/rss?x=1` }],
    [
      'the address of a feed in an error',
      { err: new Error(`GET https://news.example/feeds/${feedToken}/json`) },
    ],
    ['an address in quotes', { text: '"reader@example.com"' }],
  ])('redacts %s', (_name, fields) => {
    const { logger, lines } = createTestLogger()
    logger.error(fields, 'something happened')
    for (const secret of secrets) expect(lines.join('')).not.toContain(secret)
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['something happened'])
  })

  it('redacts addresses in the message', () => {
    const { logger, lines } = createTestLogger()
    logger.info('mail to reader@example.com went out')
    logger.error(driverError())
    expect(lines.join('')).not.toContain('reader@example.com')
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'mail to [address] went out',
      'Key (value)=([address]) already exists.',
    ])
  })

  it("keeps an error's type, code, message and stack", () => {
    const { logger, lines } = createTestLogger()
    logger.error({ err: driverError() }, 'failed')
    const { err } = JSON.parse(lines[0] ?? '')
    expect(err.type).toBe('Error')
    expect(err.code).toBe('23505')
    expect(err.message).toBe('Key (value)=([address]) already exists.')
    expect(err.stack).toContain('logger.test.ts')
    expect(err.detail).toBeUndefined()
  })

  it('keeps paths with a package version', () => {
    const { logger, lines } = createTestLogger()
    const place = 'at query (file:///app/node_modules/.pnpm/pg@8.16.3/node_modules/@scope/pg/client.js:5:7)'
    logger.error({ err: { stack: place }, place }, 'failed')
    expect(JSON.parse(lines[0] ?? '').place).toBe(place)
  })

  it('writes valid JSON for any text', () => {
    const { logger, lines } = createTestLogger()
    for (const text of [
      'a\\@b.cd',
      '\u0001a@b.cd',
      '\n@b.cd"',
      '\\n@b.cd',
      '@'.repeat(99),
      `${'a'.repeat(99)}@b.cd`,
    ]) {
      logger.info({ text }, text)
    }
    expect(lines.map((line) => JSON.parse(line).process)).toEqual(lines.map(() => 'test'))
  })

  it('writes only lines of its level or above', () => {
    const { logger, lines } = createTestLogger('warn')
    logger.info('quiet')
    logger.warn('loud')
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['loud'])
  })
})
