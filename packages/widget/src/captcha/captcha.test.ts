import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openCaptcha, opensOnPage } from './open-captcha.ts'
import { describeCaptcha } from './recaptcha.ts'

const apiBase = 'https://news.example'
let host: HTMLElement

beforeEach(() => {
  host = document.createElement('div')
  document.body.append(host)
})
afterEach(() => {
  host.remove()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Serves the script of a provider: it puts this service on the page. */
function serveScript(global: string, { fails = false } = {}) {
  const calls: unknown[][] = []
  const sources: string[] = []
  let response: unknown = ''
  let parameters: Record<string, unknown> = {}
  const service = {
    render(place: HTMLElement, given: Record<string, unknown>) {
      parameters = given
      calls.push(['render', place.slot, given.sitekey])
      return 7
    },
    getResponse: () => response,
    execute: (id: unknown) => calls.push(['execute', id]),
    reset: (id: unknown) => calls.push(['reset', id]),
    remove: (id: unknown) => calls.push(['remove', id]),
  }
  vi.spyOn(document.head, 'append').mockImplementation((script) => {
    if (!(script instanceof HTMLScriptElement)) return
    sources.push(script.src)
    if (fails) return void script.onerror?.(new Event('error'))
    vi.stubGlobal(global, service)
    script.onload?.(new Event('load'))
  })
  return {
    calls,
    sources,
    respond: (token: unknown) => {
      response = token
    },
    call(callback: string, value?: unknown) {
      const given = parameters[callback]
      if (typeof given === 'function') given(value)
    },
  }
}

it.each([
  [true, 'compact'],
  [false, 'normal'],
])('chooses the reCAPTCHA box that fits the screen: small %s, %s', (matches, size) => {
  vi.stubGlobal('matchMedia', () => ({ matches }))
  const options = { siteKey: 'key', language: 'en', theme: 'light', apiBase } as const
  expect(describeCaptcha(options).parameters.size).toBe(size)
})

it('loads no script for an unknown captcha', async () => {
  const served = serveScript('other')
  await expect(openCaptcha({ kind: 'other', siteKey: null }, { host })).rejects.toMatchObject({
    textKey: 'captcha_unavailable',
  })
  expect(served.sources).toEqual([])
})

describe.each([
  [
    'hcaptcha',
    'hcaptcha',
    'https://js.hcaptcha.com/1/api.js?render=explicit&hl=fr&recaptchacompat=off',
    true,
    'run',
  ],
  [
    'turnstile',
    'turnstile',
    'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    false,
    'wait',
  ],
  [
    'recaptcha',
    'grecaptcha',
    'https://www.google.com/recaptcha/api.js?render=explicit&hl=fr',
    true,
    'refuse',
  ],
] as const)('%s', (kind, global, src, isOnPage, onExecute) => {
  const app = { kind, siteKey: 'site-key' }
  const open = () => openCaptcha(app, { host, language: 'fr', apiBase })

  it('reports a script that fails, then loads it once, renders in the host and is solved', async () => {
    serveScript(global, { fails: true })
    await expect(open()).rejects.toMatchObject({ textKey: 'captcha_unavailable' })
    expect(host.children).toHaveLength(0)
    vi.restoreAllMocks()
    const served = serveScript(global)
    const captcha = await open()
    const second = await open()
    expect(served.sources).toEqual([src])
    expect(served.calls[0]).toEqual(['render', 'captcha', 'site-key'])
    expect(opensOnPage(app)).toBe(isOnPage)
    if (onExecute === 'refuse') {
      await expect(captcha.execute()).rejects.toMatchObject({ textKey: 'captcha_required' })
    } else {
      const solved = second.execute()
      expect(served.calls.at(-1)?.[0]).toBe(onExecute === 'run' ? 'execute' : 'render')
      served.call('callback', 'token-2')
      expect(await solved).toBe('token-2')
      const closed = second.execute()
      served.call('close-callback')
      await expect(closed).rejects.toMatchObject({ name: 'CaptchaError', textKey: 'captcha_failed' })
    }
    served.respond('token-1')
    expect(captcha.getResponse()).toBe('token-1')
    expect(await captcha.execute()).toBe('token-1')
    captcha.reset()
    expect(served.calls.at(-1)).toEqual(['reset', 7])
    captcha.remove()
    expect(served.calls.at(-1)).toEqual(['remove', 7])
    expect(host.children).toHaveLength(1)
  })
})

describe('altcha', () => {
  const secrets = { hmacSignatureSecret: 'a', hmacKeySignatureSecret: 'b' }
  const open = () => openCaptcha({ kind: 'altcha', siteKey: null }, { host, apiBase })

  it('solves a challenge of the API in the background, another one after a reset', async () => {
    const addresses: unknown[] = []
    vi.stubGlobal('fetch', async (address: unknown) => {
      addresses.push(address)
      const options = { algorithm: 'PBKDF2/SHA-256', cost: 10, counter: 21, deriveKey, ...secrets }
      return Response.json(await createChallenge(options))
    })
    const captcha = await open()
    const token = await captcha.execute()
    expect(captcha.getResponse()).toBe(token)
    expect(addresses).toEqual(['https://news.example/auth/captcha/challenge'])
    const solved = JSON.parse(atob(token))
    expect(solved.solution.counter).toBe(21)
    expect(await verifySolution({ ...solved, deriveKey, ...secrets })).toMatchObject({ verified: true })
    captcha.reset()
    expect(captcha.getResponse()).toBe('')
    expect(await captcha.execute()).not.toBe(token)
    captcha.remove()
    expect(host.children).toHaveLength(0)
  })

  it('reports an unreachable API when the form is submitted, and tries again', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Network error')))
    const captcha = await open()
    await expect(captcha.execute()).rejects.toMatchObject({ textKey: 'captcha_unavailable' })
    vi.stubGlobal('fetch', async () => new Response('{}', { status: 429 }))
    await expect(captcha.execute()).rejects.toMatchObject({ textKey: 'captcha_unavailable' })
  })
})
