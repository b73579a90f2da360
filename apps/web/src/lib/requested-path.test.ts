import { describe, expect, it } from 'vitest'
import { requestedPath, returnPath } from './requested-path.ts'

describe('the path to return to', () => {
  it.each(['/edition/11-20-26-10AM', '/viewgated/art_1?from=mail#end', '/'])(
    'is the requested %s',
    (path) => {
      expect(returnPath(path, '/home')).toBe(path)
    },
  )

  it.each([
    undefined,
    '',
    'home',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:0',
  ])('is the other one for %s', (path) => {
    expect(returnPath(path, '/home')).toBe('/home')
  })
})

describe('the requested path', () => {
  it('has the query of the link', () => {
    const location = { href: '/gated?page=2', pathname: '/gated', searchStr: '?page=2' }
    expect(requestedPath(location)).toBe('/gated?page=2')
  })

  it('leaves out a query in front of the hash, which stays in the address', () => {
    window.history.replaceState(null, '', '/?fromCheckout=true')
    const location = {
      href: '/gated?fromCheckout=true',
      pathname: '/gated',
      searchStr: '?fromCheckout=true',
    }
    expect(requestedPath(location)).toBe('/gated')
    window.history.replaceState(null, '', '/')
  })
})
