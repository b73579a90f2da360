import { describe, expect } from 'vitest'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest()
const accept = 'text/html'

describe('a page of the desk at 127.0.0.1', () => {
  it.for([
    ['/desk', 'http://localhost:3000/desk'],
    ['/desk/editions/11-20-26-10AM?a=1', 'http://localhost:3000/desk/editions/11-20-26-10AM?a=1'],
    ['/desk/invitation/x', 'http://localhost:3000/desk/invitation/x'],
  ] as const)('%s is redirected to localhost in development', async ([url, location], { site }) => {
    const reply = await site.app.inject({ url, headers: { accept, host: '127.0.0.1:3000' } })

    expect([reply.statusCode, reply.headers.location]).toEqual([302, location])
  })

  it.for([
    ['localhost:3000', '/desk/invitation/x', accept],
    ['127.0.0.1:3000', '/desk/v1/editions', accept],
    ['127.0.0.1:3000', '/desk/v1/editions', 'application/json'],
    ['127.0.0.1:3000', '/deskless', accept],
    ['127.0.0.1:3000', '/', accept],
  ] as const)('is left alone: %s %s', async ([host, url, accepted], { site }) => {
    const reply = await site.app.inject({ url, headers: { accept: accepted, host } })

    expect(reply.statusCode).not.toBe(302)
  })
})
