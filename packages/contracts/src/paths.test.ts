import { describe, expect, it } from 'vitest'
import { endpoints } from './index.ts'
import { paths, reservedPrefixes, screenPaths } from './paths.ts'

const addresses = [...new Set(endpoints.map(({ path }) => path)), ...Object.values(paths)]

/** Returns the first segment of a path, empty for `/`. */
function firstSegment(path: string): string {
  return path.split('/')[1] ?? ''
}

describe('addresses of the API', () => {
  it('belong to the prefixes that are kept for the API, each of them once', () => {
    for (const address of addresses) expect(reservedPrefixes).toContain(firstSegment(address))
    expect(new Set(addresses).size).toBe(addresses.length)
  })
})

describe('screenPaths', () => {
  it('are no addresses of the API', () => {
    for (const screen of screenPaths) expect(addresses).not.toContain(screen)
  })
})
