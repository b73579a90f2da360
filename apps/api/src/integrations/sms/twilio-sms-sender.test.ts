import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { type Emulators, startEmulators } from '@tidings/emulators/emulators'
import { builtInAccount } from '@tidings/emulators/twilio/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createTwilioSmsSender } from './twilio-sms-sender.ts'

const clock = { now: () => new Date('2026-11-20T18:00:00Z') }
const ann = '+15005551001'

let emulators: Emulators

beforeAll(async () => {
  emulators = await startEmulators({ host: '127.0.0.1', port: 0, smtpPort: 0, ...clock })
})

afterAll(() => emulators.stop())

beforeEach(async () => {
  await setFaults({})
  await fetch(`${emulators.inboxUrl}/messages`, { method: 'DELETE' })
})

async function setFaults(faults: object) {
  await fetch(`${emulators.twilioUrl}/twilio/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  })
}

function sender(options: Partial<Parameters<typeof createTwilioSmsSender>[0]> = {}) {
  return createTwilioSmsSender({
    clock,
    account: builtInAccount,
    from: builtInAccount.number,
    apiUrl: new URL(emulators.twilioUrl),
    concurrency: 2,
    statusUrl: null,
    perSecond: 0,
    ...options,
  })
}

function portOf(server: Server): number {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const port = portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts a proxy that refuses all tunnels. Returns its address and the hosts that were asked for. */
async function startProxy(): Promise<{ url: string; hosts: string[] }> {
  const hosts: string[] = []
  const proxy = createHttpServer()
  proxy.on('connect', ({ url = '' }, socket) => {
    hosts.push(url)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  proxy.listen(0, '127.0.0.1')
  await new Promise((resolve) => proxy.once('listening', resolve))
  onTestFinished(() => void proxy.close())
  return { url: `http://127.0.0.1:${portOf(proxy)}`, hosts }
}

/** Replaces the machine's proxies by these. */
function setProxies(names: Record<string, string>) {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) {
    vi.stubEnv(name.toLowerCase(), undefined)
    vi.stubEnv(name, names[name])
  }
  onTestFinished(() => void vi.unstubAllEnvs())
}

async function received(): Promise<{ text: string; from: string }[]> {
  return JSON.parse(await (await fetch(`${emulators.inboxUrl}/messages`)).text())
}

describe('createTwilioSmsSender', () => {
  test.each([builtInAccount.number, `MG${'a'.repeat(32)}`])('sends a text from %s', async (from) => {
    const result = await sender({ from }).send({ to: ann, body: 'Your code is 123456.' })
    expect(result).toEqual({ outcome: 'accepted', id: expect.stringMatching(/^SM/) })
    expect(await received()).toMatchObject([{ from: builtInAccount.number, text: 'Your code is 123456.' }])
  })

  test.each([
    ['an invalid number', { invalid: [ann] }, { outcome: 'permanent', code: '21211' }],
    ['a landline', { landline: [ann] }, { outcome: 'permanent', code: '21614' }],
    ['a rate limit', { rateLimitEvery: 1 }, { outcome: 'temporary', code: '20429' }],
    ['a failure, perhaps after accepting', { failAcceptedEvery: 1 }, { outcome: 'unknown', code: '20500' }],
  ])('%s', async (_what, faults, expected) => {
    await setFaults(faults)
    expect(await sender().send({ to: ann, body: 'Hi' })).toMatchObject(expected)
  })

  test('a number that replied STOP is refused', async () => {
    const phone = `${emulators.inboxUrl}/phone/${encodeURIComponent('+15005551002')}`
    await fetch(phone, { method: 'POST', body: new URLSearchParams({ body: 'STOP' }), redirect: 'manual' })
    const result = await sender().send({ to: '+15005551002', body: 'Hi' })
    expect(result).toMatchObject({ outcome: 'permanent', code: '21610' })
  })

  test('a wrong token makes the service unavailable', async () => {
    const account = { ...builtInAccount, authToken: 'wrong' }
    const result = await sender({ account }).send({ to: ann, body: 'Hi' })
    expect(result).toMatchObject({ outcome: 'unavailable', code: '20003' })
  })

  test('a service that is down is unavailable', async () => {
    const apiUrl = new URL(`http://127.0.0.1:${await closedPort()}`)
    const result = await sender({ apiUrl }).send({ to: ann, body: 'Hi' })
    expect(result).toMatchObject({ outcome: 'unavailable', code: 'ECONNREFUSED' })
  })

  test('a text without a reply in time may have been accepted', async () => {
    await setFaults({ slowMs: 60_000 })
    const result = await sender({ timeoutMs: 200 }).send({ to: ann, body: 'Hi' })
    expect(result).toMatchObject({ outcome: 'unknown', code: 'UND_ERR_HEADERS_TIMEOUT' })
    expect(await received()).toHaveLength(1)
  })

  test.each([
    ['that fails in HTML leaves open what became of the text', 502, 'unknown'],
    ['that redirects says nothing about the number', 307, 'unavailable'],
  ])('a proxy %s', async (_what, status, outcome) => {
    const proxy = createHttpServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html', location: '/' }).end('<h1>No</h1>')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => proxy.once('listening', resolve))
    const apiUrl = new URL(`http://127.0.0.1:${portOf(proxy)}`)
    expect(await sender({ apiUrl }).send({ to: ann, body: 'Hi' })).toMatchObject({
      outcome,
      code: String(status),
    })
    await new Promise((resolve) => proxy.close(resolve))
  })

  test.each(['HTTP_PROXY', 'HTTPS_PROXY'])(
    'a text is not sent while the proxy of %s refuses the tunnel',
    async (name) => {
      const { url, hosts } = await startProxy()
      setProxies({ [name]: url })

      const result = await sender({ apiUrl: null }).send({ to: ann, body: 'Hi' })

      expect(result).toMatchObject({ outcome: 'unavailable' })
      expect(hosts).toEqual(['api.twilio.com:443'])
    },
  )

  test('a host in NO_PROXY is reached without the proxy', async () => {
    const { url, hosts } = await startProxy()
    const closed = await closedPort()
    setProxies({ HTTPS_PROXY: url, NO_PROXY: '127.0.0.1' })

    const apiUrl = new URL(`https://127.0.0.1:${closed}`)
    const result = await sender({ apiUrl }).send({ to: ann, body: 'Hi' })

    expect(result).toMatchObject({ outcome: 'unavailable', code: 'ECONNREFUSED' })
    expect(hosts).toEqual([])
  })

  test('a text is not sent while the proxy is down', async () => {
    setProxies({ HTTPS_PROXY: `http://127.0.0.1:${await closedPort()}` })
    const result = await sender({ apiUrl: null }).send({ to: ann, body: 'Hi' })
    expect(result).toMatchObject({ outcome: 'unavailable', code: 'ECONNREFUSED' })
  })

  test('an emulator is reached without the proxy', async () => {
    const { url, hosts } = await startProxy()
    setProxies({ HTTP_PROXY: url })

    expect(await sender().send({ to: ann, body: 'Hi' })).toMatchObject({ outcome: 'accepted' })
    expect(hosts).toEqual([])
  })

  test('no reason contains the number', async () => {
    await setFaults({ invalid: [ann] })
    expect(JSON.stringify(await sender().send({ to: ann, body: 'Hi' }))).not.toContain('5551001')
  })
})
