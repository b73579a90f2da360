import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishedEdition } from '#test/factories/editions.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

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

/** Writes every letter of a path's first segment as its percent escape. */
function escaped(path: string): string {
  return path.replace(/^\/([a-z]+)/, (_all, segment: string) => {
    const codes = [...segment].map((letter) => `%${letter.charCodeAt(0).toString(16)}`)
    return `/${codes.join('')}`
  })
}

const spellings: [name: string, spell: (path: string) => string][] = [
  ['as it is', (path) => path],
  ['with a slash at its end', (path) => `${path}/`],
  ['with two slashes at its end', (path) => `${path}//`],
  ['in capitals', (path) => path.toUpperCase()],
  ['with a capital', (path) => path.replace(/^\/./, (start) => start.toUpperCase())],
  ['with escapes', escaped],
  ['with escapes in capitals', (path) => escaped(path).toUpperCase()],
  ['with two slashes at its start', (path) => `/${path}`],
  ['with two slashes inside', (path) => path.replace(/(?<=.)\//g, '//')],
  ['with a dot inside', (path) => path.replace(/(?<=.)\//, '/./')],
  ['with a way back inside', (path) => path.replace(/(?<=.)\//, '/x/../')],
  ['with an escaped slash', (path) => path.replace(/(?<=.)\//, '%2F')],
  ['with a semicolon', (path) => `${path};x=1`],
  ['with an escaped line end', (path) => `${path}%0a`],
  ['with an escaped end', (path) => `${path}%00`],
  ['with an escaped question mark', (path) => `${path}%3Fx=1`],
  ['with a query', (path) => `${path}?a=1&b[]=2`],
  ['with a query that names a page', (path) => `${path}?/home`],
]

// A connection upgrade of GET /socket is the live feed's own test; everything else answers these.
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

let site: TestApp
beforeAll(async () => {
  site = await startTestApp({ databaseUrl: await createTestDatabase() })
  await publishedEdition(site.context, key, 3)
  // Loaded once with a pass, so that it stands ready in memory.
  for (const url of guarded.slice(0, 3)) await site.app.inject({ url, headers: { cookie: site.pass } })
})
afterAll(() => site.close())

describe('what is behind the gate', () => {
  it.each(spellings)('stays closed when its address is written %s', async (_name, spell) => {
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

  it.each(methods)('stays closed to %s', async (method) => {
    for (const path of guarded) {
      const reply = await site.app.inject({ method, url: path })
      expect(reply.statusCode, path).toBe(401)
    }
  })

  it('shows a browser no content either', async () => {
    for (const [, spell] of spellings) {
      for (const path of guarded) {
        const reply = await site.app.inject({ url: spell(path), headers: { accept: 'text/html' } })
        expect([302, 401, 404], spell(path)).toContain(reply.statusCode)
        expect(reply.body).not.toContain('Memo 1')
      }
    }
  })

  it('tells nobody without a pass which editions there are', async () => {
    const bodies: string[] = []
    for (const url of [`/edition/prod/${key}`, '/edition/prod/11-21-26-10AM', '/edition/prod/nonsense']) {
      bodies.push((await site.app.inject(url)).body)
    }
    expect(new Set(bodies).size).toBe(1)
  })

  it('answers what is no address at all by 404 once the gate is passed', async () => {
    for (const path of guarded) {
      const reply = await site.app.inject({ url: `${path}/x/y/z`, headers: { cookie: site.pass } })
      expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'not-found'])
    }
  })
})
