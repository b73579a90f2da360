import { describe, expect, it } from 'vitest'
import { chooseEncoding, createCachedResponse } from './cached-response.ts'

describe('chooseEncoding', () => {
  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.1', 'br'],
    ['GZIP', 'gzip'],
    ['Br', 'br'],
    ['  gzip  ', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000,gzip; q=0.0', 'identity'],
    ['br;q=0.001', 'br'],
    ['identity', 'identity'],
    ['deflate', 'identity'],
    ['*', 'identity'],
    ['brotli', 'identity'],
    ['', 'identity'],
    [',,;,', 'identity'],
    [undefined, 'identity'],
  ])('returns for Accept-Encoding: %s the encoding %s', (accepted, encoding) => {
    expect(chooseEncoding(accepted, 25_000)).toBe(encoding)
  })

  it('does not compress a small body', () => {
    expect(chooseEncoding('br', 1_023)).toBe('identity')
    expect(chooseEncoding('br', 1_024)).toBe('br')
  })
})

describe('createCachedResponse', () => {
  it('returns equal tags for equal bodies only', () => {
    const tags = [{ a: 1 }, { a: 1 }, { a: 2 }].map((value) => createCachedResponse(value).tag)
    expect(tags[0]).toBe(tags[1])
    expect(tags[0]).not.toBe(tags[2])
  })
})
