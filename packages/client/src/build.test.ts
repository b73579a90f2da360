// @vitest-environment node
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Window } from 'happy-dom'
import { http } from 'msw/http'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { apiBase, apiServer, reply, respondWith } from './testing/fake-api.ts'
import { wireApp, wireSession } from './testing/wire-samples.ts'

const gzippedBytes = 8000
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-client-'))
  for (const mode of ['production', 'script-tag']) {
    await build({
      root: join(import.meta.dirname, '..'),
      mode,
      logLevel: 'error',
      build: { outDir: folder, emptyOutDir: false },
    })
  }
}, 60_000)

afterAll(() => rm(folder, { recursive: true }))

/** Loads the script from the API with these attributes. */
async function pageWith(attributes: Record<string, string>): Promise<Window> {
  const page = new Window({
    url: 'https://reader.example/',
    settings: {
      enableJavaScriptEvaluation: true,
      suppressInsecureJavaScriptEnvironmentWarning: true,
      fetch: {
        disableSameOriginPolicy: true,
        virtualServers: [{ url: `${apiBase}/files/`, directory: folder }],
      },
    },
  })
  onTestFinished(() => page.happyDOM.close())
  const element = page.document.createElement('script')
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.src = `${apiBase}/files/client.global.js`
  page.document.body.append(element)
  await page.happyDOM.waitUntilComplete()
  return page
}

describe('the builds', () => {
  it.each(['client.js', 'client.global.js'])('%s stays under 8 kB gzipped', async (file) => {
    expect(gzipSync(await readFile(join(folder, file))).length).toBeLessThan(gzippedBytes)
  })

  it('client.js is a module without imports', async () => {
    expect(await readFile(join(folder, 'client.js'), 'utf8')).not.toMatch(/\bimport\b/)
    const module = await import(join(folder, 'client.js'))
    expect(Object.keys(module).toSorted()).toEqual(['MembershipError', 'createMembershipClient'])
  })
})

describe('client.global.js', () => {
  it('creates a client that calls the API of its script', async () => {
    const page = await pageWith({ 'data-public-key': 'pk_test' })
    const calls = respondWith(reply(wireApp()))
    expect(await page.eval('$membership.getApp()')).toEqual({ data: wireApp() })
    expect(calls[0]?.line).toBe('GET /app')
    expect(calls[0]?.headers.get('x-api-key')).toBe('pk_test')
    expect(calls[0]?.headers.get('x-app-id')).toBeNull()
  })

  it('uses the API and the app in its attributes', async () => {
    const page = await pageWith({
      'data-api-base': 'https://members.example/',
      'data-public-key': 'pk_test',
      'data-app-id': 'app_news',
    })
    const apps: (string | null)[] = []
    apiServer.use(
      http.get('https://members.example/app', ({ request }) => {
        apps.push(request.headers.get('x-app-id'))
        return reply(wireApp())(request)
      }),
    )
    expect(await page.eval('$membership.getApp()')).toEqual({ data: wireApp() })
    expect(apps).toEqual(['app_news'])
  })

  it.each([
    [{ 'data-use-cookies': '' }, '_ms-mid=token-of-ada', null],
    [{ 'data-use-cookies': 'true' }, '_ms-mid=token-of-ada', null],
    [{ 'data-use-cookies': 'false' }, '', 'token-of-ada'],
    [{}, '', 'token-of-ada'],
  ])('stores the token as configured with %j', async (attributes, cookie, stored) => {
    const page = await pageWith({ 'data-public-key': 'pk_test', ...attributes })
    respondWith(reply(wireSession(), 'You have successfully logged in.'))
    await page.eval(
      "$membership.loginMemberEmailPassword({ email: 'ada@example.com', password: 'a password' })",
    )
    expect(page.document.cookie).toBe(cookie)
    expect(page.localStorage.getItem('_ms-mid')).toBe(stored)
  })

  it('uses the global name in its attributes', async () => {
    const page = await pageWith({ 'data-public-key': 'pk_test', 'data-global': 'newsMembership' })
    expect(page.eval('typeof newsMembership.getApp')).toBe('function')
    expect(page.eval('typeof $membership')).toBe('undefined')
  })

  it('rejects a missing public key', async () => {
    const page = await pageWith({})
    expect(page.eval('typeof $membership')).toBe('undefined')
    expect(page.happyDOM.virtualConsolePrinter.readAsString()).toContain(
      'The membership client needs a script element of its own with data-public-key',
    )
  })
})
