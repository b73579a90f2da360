import { archiveListReply, timeListReply } from '@tidings/contracts/editions'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { draftEdition, publishedEdition } from '#test/factories/editions.ts'
import { siteTest } from '#test/fixtures.ts'
import { useTestApp } from '#test/test-app.ts'

const it = siteTest()
  /** Reads with a gate pass. */
  .extend(
    'read',
    { scope: 'file' },
    ({ site }) =>
      async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
        return await site.app.inject({ method, url, headers: { cookie: site.pass, ...headers } })
      },
  )
it.beforeAll(async ({ site }) => {
  for (const key of ['11-19-26-8PM', '11-18-26-3PM', '11-19-26-10AM', '02-29-24-10AM', '11-19-26-3PM']) {
    await publishedEdition(site.context, key, 1)
  }
  await draftEdition(site.context, '11-18-26-10AM', 1)
  await draftEdition(site.context, '11-17-26-10AM', 1)
})

describe('GET /edition/prod/get_time_list/{date}', () => {
  it.for([
    ['11-19-26', ['10AM', '3PM', '8PM']],
    ['11-18-26', ['3PM']],
    ['02-29-24', ['10AM']],
    ['11-17-26', []],
    ['01-01-00', []],
    ['12-31-99', []],
  ] as const)('returns the published slots of %s by time', async ([date, timeStamp], { read }) => {
    const reply = await read(`/edition/prod/get_time_list/${date}`)
    expect(reply.statusCode).toBe(200)
    expect(z.strictObject(timeListReply.shape).parse(reply.json())).toEqual({ date, timeStamp })
  })

  it('returns the exact body of the contract', async ({ read }) => {
    const reply = await read('/edition/prod/get_time_list/11-19-26')
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(reply.body).toBe('{"date":"11-19-26","timeStamp":["10AM","3PM","8PM"]}')
  })

  it.for([
    '02-30-26',
    '02-29-26',
    '13-01-26',
    '00-10-26',
    '11-31-26',
    '2026-11-20',
    '11-20-2026',
    'today',
    '1-2-26',
  ])('rejects %s and explains the format', async (date, { read }) => {
    const reply = await read(`/edition/prod/get_time_list/${date}`)
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error.code).toBe('invalid-date')
    expect(reply.json().error.message).toContain('MM-DD-YY')
  })
})

describe('GET /edition/prod/get_list', () => {
  it('returns every published edition, newest first, with the exact body of the contract', async ({
    read,
  }) => {
    const reply = await read('/edition/prod/get_list')
    expect(reply.statusCode).toBe(200)
    archiveListReply.parse(reply.json())
    expect(reply.body).toBe(
      JSON.stringify([
        { date: '11-19-26', time_stamp: '8PM' },
        { date: '11-19-26', time_stamp: '3PM' },
        { date: '11-19-26', time_stamp: '10AM' },
        { date: '11-18-26', time_stamp: '3PM' },
        { date: '02-29-24', time_stamp: '10AM' },
      ]),
    )
  })

  it('returns an empty list if nothing was published', async () => {
    const empty = await useTestApp()
    const reply = await empty.app.inject({ url: '/edition/prod/get_list', headers: { cookie: empty.pass } })
    expect([reply.statusCode, reply.body]).toEqual([200, '[]'])
  })
})

describe('configured slots', () => {
  it('are ordered by time, not by name', async () => {
    const other = await useTestApp({
      env: { EDITION_SLOTS: 'Dusk=18:00,Noon=12:00,Zenith=11:00,dawn=06:00' },
    })
    for (const slot of ['Dusk', 'Noon', 'Zenith', 'dawn']) {
      await publishedEdition(other.context, `11-19-26-${slot}`, 1)
    }
    const headers = { cookie: other.pass }
    const day = await other.app.inject({ url: '/edition/prod/get_time_list/11-19-26', headers })
    const archive = await other.app.inject({ url: '/edition/prod/get_list', headers })
    expect(day.json().timeStamp).toEqual(['dawn', 'Zenith', 'Noon', 'Dusk'])
    expect(archiveListReply.parse(archive.json()).map(({ time_stamp: slot }) => slot)).toEqual([
      'Dusk',
      'Noon',
      'Zenith',
      'dawn',
    ])
  })
})

describe('the headers of cached responses', () => {
  const urls = [
    '/edition/prod/get_list',
    '/edition/prod/get_time_list/11-19-26',
    '/edition/prod/11-19-26-10AM',
  ]

  it.for(urls)('let a browser cache %s but revalidate it each time', async (url, { read }) => {
    const reply = await read(url)
    expect(reply.headers['cache-control']).toBe('private, no-cache')
    expect(reply.headers.vary).toBe('Accept-Encoding')
    expect(reply.headers.etag).toMatch(/^"[\w-]+"$/)
    expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.body)))
  })

  it.for(urls)('return 304 to a browser that has %s', async (url, { read }) => {
    const { headers } = await read(url)
    for (const ifNoneMatch of [String(headers.etag), `W/${headers.etag}`, `"x", ${headers.etag}`, '*']) {
      const again = await read(url, { 'if-none-match': ifNoneMatch })
      expect([again.statusCode, again.body]).toEqual([304, ''])
      expect(again.headers.etag).toBe(headers.etag)
      expect(again.headers['cache-control']).toBe('private, no-cache')
    }
  })

  it.for(urls)('return %s again for another tag', async (url, { read }) => {
    const reply = await read(url, { 'if-none-match': '"something-else"' })
    expect(reply.statusCode).toBe(200)
  })

  it.for(urls)('are the same for HEAD of %s, without a body', async (url, { read }) => {
    const whole = await read(url)
    const head = await read(url, {}, 'HEAD')
    expect([head.statusCode, head.body]).toEqual([200, ''])
    for (const name of ['etag', 'cache-control', 'content-type', 'content-length', 'vary']) {
      expect(head.headers[name], name).toBe(whole.headers[name])
    }
  })
})
