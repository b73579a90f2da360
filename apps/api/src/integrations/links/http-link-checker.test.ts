import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { createHttpLinkChecker } from './http-link-checker.ts'

const publicAddress = '142.250.74.36'
const seen: string[] = []
const dialed: string[] = []

const pages: Record<string, RequestListener> = {
  '/page': (_request, reply) => reply.end('x'.repeat(200_000)),
  '/gone': (_request, reply) => reply.writeHead(404).end(),
  '/get-only': ({ method }, reply) => reply.writeHead(method === 'HEAD' ? 405 : 200).end('page'),
  '/hangs-up': ({ socket }) => socket.destroy(),
  '/silent': () => {},
  '/moved': (_request, reply) => reply.writeHead(302, { location: '/page' }).end(),
  '/loop': (_request, reply) => reply.writeHead(302, { location: '/loop' }).end(),
  '/to-loopback': (_request, reply) => reply.writeHead(302, { location: 'http://127.0.0.1/page' }).end(),
  '/to-metadata': (_request, reply) =>
    reply.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  '/to-inside': (_request, reply) => reply.writeHead(301, { location: 'http://inside.example/page' }).end(),
  '/to-file': (_request, reply) => reply.writeHead(301, { location: 'file:///etc/passwd' }).end(),
  '/headers': (_request, reply) => reply.writeHead(200, { 'X-Long': 'x'.repeat(100_000) }).end(),
}

const server = createServer((request, reply) => {
  seen.push(`${request.method} ${request.headers.host}${request.url}`)
  const page = pages[request.url ?? '']
  if (page === undefined) reply.writeHead(500).end()
  else page(request, reply)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const port = typeof address === 'object' ? String(address?.port) : ''
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const names: Record<string, string[]> = {
  'site.example': [publicAddress],
  'inside.example': ['10.0.0.7'],
  'half-inside.example': [publicAddress, '127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'inside6.example': ['fd00:ec2::254'],
}

function createChecker(resolved: Record<string, string[]> = names) {
  return createHttpLinkChecker({
    siteUrl: new URL('https://news.example'),
    timeoutMs: 1_000,
    async resolveName(hostname) {
      const addresses = resolved[hostname] ?? (/^[\d.]+$|:/.test(hostname) ? [hostname] : undefined)
      if (addresses === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
      return addresses.map((each) => ({ address: each, family: each.includes(':') ? 6 : 4 }))
    },
    // All public addresses are this server.
    dial(target) {
      dialed.push(`${target.address}:${target.port}`)
      return { address: '127.0.0.1', port }
    },
  })
}

describe('a link', () => {
  it.each([
    ['/page', 'answers', 200],
    ['/moved', 'answers', 200],
    ['/get-only', 'answers', 200],
    ['/gone', 'fails', 404],
    ['/loop', 'fails', 302],
    ['/hangs-up', 'silent', null],
    ['/silent', 'silent', null],
    ['/headers', 'silent', null],
  ] as const)('to %s %s', async (path, outcome, status) => {
    expect(await createChecker().check(`http://site.example${path}`)).toEqual({ outcome, status })
  })

  it('is called at the address that was checked, under its own name', async () => {
    dialed.length = 0
    seen.length = 0
    await createChecker().check('http://site.example:8080/page')
    expect(dialed).toEqual([`${publicAddress}:8080`])
    expect(seen).toEqual(['HEAD site.example:8080/page'])
  })

  it.each([
    'http://127.0.0.1/page',
    'http://localhost/page',
    'http://[::1]/page',
    'http://[::ffff:127.0.0.1]/page',
    'http://2130706433/page',
    'http://0x7f.1/page',
    'http://0.0.0.0/page',
    'http://10.1.2.3/page',
    'http://192.168.1.1/page',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/latest/',
    'http://inside.example/page',
    'http://half-inside.example/page',
    'http://metadata.example/page',
    'http://inside6.example/page',
    'http://site.example/to-loopback',
    'http://site.example/to-metadata',
    'http://site.example/to-inside',
    'http://site.example/to-file',
    'http://user:password@site.example/page',
    'file:///etc/passwd',
    'nonsense',
  ])('to %s is refused, and nothing of our network is called', async (url) => {
    dialed.length = 0
    const checker = createChecker({ ...names, localhost: ['127.0.0.1'] })
    expect(await checker.check(url)).toEqual({ outcome: 'refused', status: null })
    expect(dialed.filter((each) => !each.startsWith(publicAddress))).toEqual([])
  })

  it('is resolved once for each connection, so that a name can’t change in between', async () => {
    const answers = [publicAddress, '127.0.0.1']
    let asked = 0
    const checker = createHttpLinkChecker({
      siteUrl: new URL('https://news.example'),
      resolveName: async () => [{ address: answers[asked++] ?? '127.0.0.1', family: 4 }],
      dial: () => ({ address: '127.0.0.1', port }),
    })
    expect(await checker.check('http://rebound.example/page')).toMatchObject({ outcome: 'answers' })
    expect(asked).toBe(1)
    expect(await checker.check('http://rebound.example/page')).toMatchObject({ outcome: 'refused' })
  })

  it('of a name that doesn’t exist doesn’t answer', async () => {
    expect(await createChecker().check('https://none.example/')).toEqual({ outcome: 'silent', status: null })
  })

  it('waits while four others of its host are asked', async () => {
    const open: ServerResponse[] = []
    let most = 0
    pages['/together'] = (_request, reply) => {
      open.push(reply)
      most = Math.max(most, open.length)
      if (open.length === 4) for (const each of open.splice(0)) each.end()
    }
    const checker = createChecker()
    const links = Array.from({ length: 12 }, () => checker.check('http://site.example/together'))
    const results = await Promise.all(links)
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['answers']))
    expect(most).toBe(4)
  })
})
