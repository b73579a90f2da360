import { describe, expect, it } from 'vitest'
import { createRequestIds } from './request-id.ts'

const fromProxy = 'f058ebd6-02f7-4d3f-942e-904344e8cde5'

describe('createRequestIds', () => {
  it('takes the id of a trusted proxy', () => {
    const idOf = createRequestIds({ trustsProxy: true })
    expect(idOf({ headers: { 'x-request-id': fromProxy } })).toBe(fromProxy)
  })

  it.each([
    ['no id', undefined],
    ['an empty id', ''],
    ['a short id', 'abc'],
    ['a long id', 'a'.repeat(65)],
    ['an email address', 'reader@tidings.example'],
    ['an IP address', '203.0.113.7:4711'],
    ['a line of a log', 'abcdefgh\n{"level":60}'],
  ])('makes one of its own for %s', (_name, given) => {
    const idOf = createRequestIds({ trustsProxy: true })
    expect(idOf({ headers: { 'x-request-id': given } })).toMatch(/^[a-z0-9]{12}-1$/)
  })

  it('ignores the id of a client without a trusted proxy', () => {
    const idOf = createRequestIds({ trustsProxy: false })
    expect(idOf({ headers: { 'x-request-id': fromProxy } })).not.toBe(fromProxy)
  })

  it('names each request differently, in other processes too', () => {
    const [one, other] = [createRequestIds({ trustsProxy: true }), createRequestIds({ trustsProxy: true })]
    const ids = [one, one, other, other].map((idOf) => idOf({ headers: {} }))
    expect(new Set(ids).size).toBe(4)
  })
})
