import { describe, expect } from 'vitest'
import { publishedEdition } from '#test/factories/editions.ts'
import { siteTest } from '#test/fixtures.ts'

const key = '11-20-26-10AM'
const guarded = [
  '/edition/prod/get_list',
  '/edition/prod/get_time_list/11-20-26',
  `/edition/prod/${key}`,
  '/edition/prod/get_gated_list',
  '/edition/prod/get_gated_list/0199a1f4-1111-7abc-8def-0123456789ab',
  '/edition/update_counter',
  '/media/11-20-26/10AM/abcdefghijklmnopqrstuvwxyz.jpg',
  '/gated/abcdefghijklmnopqrstuvwxyz.jpg',
  '/socket',
  '/cms/auth/protect',
]

/** Percent-encodes every letter of a path's first segment. */
function escaped(path: string): string {
  return path.replace(/^\/([a-z]+)/, (_all, segment: string) => {
    const codes = [...segment].map((letter) => `%${letter.charCodeAt(0).toString(16)}`)
    return `/${codes.join('')}`
  })
}

const spellings: [name: string, spell: (path: string) => string][] = [
  ['as it is', (path) => path],
  ['with a trailing slash', (path) => `${path}/`],
  ['with two trailing slashes', (path) => `${path}//`],
  ['in capitals', (path) => path.toUpperCase()],
  ['with a capital', (path) => path.replace(/^\/./, (start) => start.toUpperCase())],
  ['with escapes', escaped],
  ['with escapes in capitals', (path) => escaped(path).toUpperCase()],
  ['with two leading slashes', (path) => `/${path}`],
  ['with two slashes inside', (path) => path.replace(/(?<=.)\//g, '//')],
  ['with a dot inside', (path) => path.replace(/(?<=.)\//, '/./')],
  ['with a parent segment inside', (path) => path.replace(/(?<=.)\//, '/x/../')],
  ['with an escaped slash', (path) => path.replace(/(?<=.)\//, '%2F')],
  ['with a semicolon', (path) => `${path};x=1`],
  ['with an escaped newline', (path) => `${path}%0a`],
  ['with an escaped null', (path) => `${path}%00`],
  ['with an escaped question mark', (path) => `${path}%3Fx=1`],
  ['with a query', (path) => `${path}?a=1&b[]=2`],
  ['with a query that names a page', (path) => `${path}?/home`],
]

// The upgrade of GET /socket is covered by the tests of the live feed.
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const it = siteTest()
it.beforeAll(async ({ site }) => {
  await publishedEdition(site.context, key, 3)
  for (const url of guarded.slice(0, 3)) await site.app.inject({ url, headers: { cookie: site.pass } })
})

describe('a path behind the gate', () => {
  it.for(spellings)('is rejected without a pass when it is written %s', async ([_name, spell], { site }) => {
    for (const path of guarded) {
      for (const accept of ['application/json', '*/*', undefined]) {
        const reply = await site.app.inject({
          url: spell(path),
          headers: accept === undefined ? {} : { accept },
        })
        expect([reply.statusCode, reply.json().error.code], `${spell(path)}`).toEqual([401, 'gate-required'])
        expect(reply.headers['cache-control']).toBe('no-store')
        expect(reply.body).not.toContain('Memo 1')
      }
    }
  })

  it.for(methods)('is rejected without a pass for %s', async (method, { site }) => {
    for (const path of guarded) {
      const reply = await site.app.inject({ method, url: path })
      expect(reply.statusCode, path).toBe(401)
    }
  })

  it('shows no content to a browser', async ({ site }) => {
    for (const [, spell] of spellings) {
      for (const path of guarded) {
        const reply = await site.app.inject({ url: spell(path), headers: { accept: 'text/html' } })
        expect([302, 401, 404], spell(path)).toContain(reply.statusCode)
        expect(reply.body).not.toContain('Memo 1')
      }
    }
  })

  it('does not reveal which editions exist without a pass', async ({ site }) => {
    const bodies: string[] = []
    for (const url of [`/edition/prod/${key}`, '/edition/prod/11-21-26-10AM', '/edition/prod/nonsense']) {
      bodies.push((await site.app.inject(url)).body)
    }
    expect(new Set(bodies).size).toBe(1)
  })

  it('returns 404 with a pass when it does not exist', async ({ site }) => {
    for (const path of guarded) {
      const reply = await site.app.inject({ url: `${path}/x/y/z`, headers: { cookie: site.pass } })
      expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'not-found'])
    }
  })
})
