import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect } from 'vitest'
import { routesTest } from '#test/fixtures.ts'
import { addressOf, nameOf } from '#test/route-table.ts'
import { securityHeaders } from './security-headers.ts'

const it = routesTest()
const names = Object.keys(securityHeaders).map((name) => name.toLowerCase())

describe('the security headers', () => {
  it('are on every reply of the route table, rejected or not', async ({ site, routes }) => {
    const callers = [{}, { cookie: site.pass, authorization: site.editor }]
    for (const route of routes) {
      for (const headers of callers) {
        const reply = await site.app.inject({ method: route.method, url: addressOf(route), headers })
        for (const name of names) expect(reply.headers, nameOf(route)).toHaveProperty(name)
      }
    }
  })

  it.for([
    ['the page', '/', 'text/html', 200],
    ['an unknown page', '/nothing/here', 'text/html', 404],
    ['an unknown path', '/nothing/here.js', '*/*', 404],
    ['a malformed path', '/%E0%A4%A', '*/*', 400],
    ['a redirect to a screen', '/home', 'text/html', 302],
    ['an empty day', '/edition/prod/get_time_list/11-20-26', '*/*', 200],
  ] as const)('are on %s', async ([, url, accept, status], { site }) => {
    const reply = await site.app.inject({ url, headers: { accept, cookie: site.pass } })
    expect(reply.statusCode).toBe(status)
    expect(reply.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
  })

  it('are on a cached reply that the browser has', async ({ site }) => {
    const call = (headers: Record<string, string>) =>
      site.app.inject({
        url: '/edition/prod/get_time_list/11-20-26',
        headers: { cookie: site.pass, ...headers },
      })
    const { headers } = await call({})
    const reply = await call({ 'if-none-match': String(headers.etag) })
    expect(reply.statusCode).toBe(304)
    expect(reply.headers).toHaveProperty('permissions-policy')
  })

  it.for([
    ['an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n', '417'],
    ['what is not HTTP', 'garbage\r\n\r\n', '400'],
  ] as const)('are on the refusal of %s', async ([, bytes, status], { site }) => {
    const socket = connect(Number(new URL(await site.listen()).port), '127.0.0.1')
    socket.write(bytes)
    const received = await text(socket)
    expect(received).toContain(`HTTP/1.1 ${status} `)
    expect(received.toLowerCase()).toContain('x-content-type-options: nosniff')
  })
})
