import { describe, expect, it } from 'vitest'
import { editionUrl, mediaUrl, paths, reservedPrefixes, screenPaths, timeListUrl } from './paths.ts'

/** All addresses, including those of the desk. */
function addresses(): string[] {
  return Object.values(paths).flatMap((path) => (typeof path === 'string' ? [path] : Object.values(path)))
}

/** Returns the first segment of a path, empty for `/`. */
function firstSegment(path: string): string {
  return path.split('/')[1] ?? ''
}

describe('addresses made from parts', () => {
  it.each([
    [editionUrl('11-20-26-10AM'), '/edition/prod/11-20-26-10AM'],
    [editionUrl('../get_list?x#y'), '/edition/prod/..%2Fget_list%3Fx%23y'],
    [timeListUrl('11-20-26'), '/edition/prod/get_time_list/11-20-26'],
    [mediaUrl({ date: '11-20-26', slot: '3PM' }, 'a.jpg'), '/media/11-20-26/3PM/a.jpg'],
    [
      mediaUrl({ date: '11-20-26', slot: '3PM' }, 'a b/c.jpg', 720),
      '/media/11-20-26/3PM/a%20b%2Fc.jpg?w=720',
    ],
  ])('%s', (made, expected) => {
    expect(made).toBe(expected)
  })
})

describe('paths', () => {
  it('belong to the prefixes that are kept for the API, each of them once', () => {
    for (const address of addresses()) expect(reservedPrefixes).toContain(firstSegment(address))
    expect(new Set(addresses()).size).toBe(addresses().length)
  })
})

describe('screenPaths', () => {
  it('are no addresses of the API', () => {
    for (const screen of screenPaths) expect(addresses()).not.toContain(screen)
  })
})
