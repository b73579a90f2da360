import { describe, expect } from 'vitest'
import { readerCookie } from '#http/sessions/reader-session.ts'
import { randomIds } from '#platform/ids.ts'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest().extend('enter', { scope: 'file' }, ({ site }) => {
  return async (password: string, remoteAddress: string, cookie = '') => {
    const request = { method: 'POST', url: '/gate', payload: { password }, headers: { cookie } } as const
    return (await site.app.inject({ ...request, remoteAddress })).statusCode
  }
})

// Each test begins with an empty count.
it.beforeEach(async ({ site, db }) => {
  site.limitCalls('gateTries', 6)
  await db.rateLimit.deleteMany()
})

describe('POST /gate from many networks', () => {
  it.beforeEach(({ site }) => {
    site.limitCalls('gateTriesInAll', 30)
    site.limitCalls('gateTriesBeyondTotal', 2)
  })

  it('has a total, beyond which a network that takes part has two tries an hour', async ({ enter }) => {
    const wrong: number[] = []
    for (let round = 0; round < 4; round += 1) {
      for (let index = 0; index < 10; index += 1) wrong.push(await enter('wrong', `10.1.${index}.1`))
    }
    expect(wrong).toEqual(Array(40).fill(401))
    for (let index = 0; index < 10; index += 1) {
      await enter('wrong', `10.1.${index}.1`)
      expect(await enter('tidings', `10.1.${index}.1`)).toBe(429)
    }
  })

  it('lets in a reader on another network, however many networks guess', async ({ enter }) => {
    for (let index = 0; index < 60; index += 1) await enter('wrong', `10.2.${index}.1`)
    expect(await enter('tidings', '10.2.99.1')).toBe(200)
    expect(await enter('wrong', '10.2.99.2')).toBe(401)
    expect(await enter('tidings', '10.2.99.2')).toBe(200)
  })

  it('lets in a browser that was behind the gate before, on a network that takes part', async ({
    site,
    enter,
  }) => {
    for (let index = 0; index < 60; index += 1) await enter('wrong', `10.3.${index % 20}.1`)
    const cookie = `${readerCookie}=${site.context.readers.write(randomIds.uuid())}`
    expect(await enter('tidings', '10.3.1.1')).toBe(429)
    expect(await enter('tidings', '10.3.1.1', cookie)).toBe(200)
    expect(await enter('tidings', '10.3.1.1', `${readerCookie}=forged`)).toBe(429)
  })

  it('counts a browser that was behind the gate before as one, on however many networks', async ({
    site,
    enter,
  }) => {
    const cookieOf = () => `${readerCookie}=${site.context.readers.write(randomIds.uuid())}`
    const [replayed, other] = [cookieOf(), cookieOf()]
    const wrong: number[] = []
    for (let index = 0; index < 20; index += 1) wrong.push(await enter('wrong', `10.6.${index}.1`, replayed))
    expect(wrong).toEqual([...Array(6).fill(401), ...Array(14).fill(429)])
    expect(await enter('tidings', '10.6.0.1', other)).toBe(200)
    expect(await enter('tidings', '10.6.99.1')).toBe(200)
  })

  it('refunds a right password to the browser', async ({ site, enter }) => {
    const cookie = `${readerCookie}=${site.context.readers.write(randomIds.uuid())}`
    for (let index = 0; index < 12; index += 1) {
      expect(await enter('tidings', `10.7.${index}.1`, cookie)).toBe(200)
    }
  })

  it('gives readers who have a pass what they ask for', async ({ site, enter }) => {
    for (let index = 0; index < 60; index += 1) await enter('wrong', `10.4.${index % 20}.1`)
    const url = '/edition/prod/get_list'
    const reply = await site.app.inject({ url, headers: { cookie: site.pass }, remoteAddress: '10.4.1.1' })
    expect(reply.statusCode).toBe(200)
  })
})

describe('POST /gate from one network', () => {
  it('counts a parallel burst exactly', async ({ enter }) => {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => enter('wrong', '10.5.0.1')))
    expect(statuses.filter((status) => status === 401)).toHaveLength(6)
  })

  it.for([
    ['/56', 40, (index: number) => index, 24],
    ['/48', 110, (index: number) => index * 0x100, 96],
  ] as const)('counts an IPv6 %s as one', async ([width, networks, numberOf, allowed], { enter }) => {
    const prefix = width === '/56' ? '2001:db8:1' : '2001:db8:2'
    const statuses: number[] = []
    for (let index = 0; index < networks; index += 1) {
      statuses.push(await enter('wrong', `${prefix}:${numberOf(index).toString(16)}::1`))
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(allowed)
    expect(await enter('tidings', '2001:db8:3::1')).toBe(200)
  })

  it('counts a mapped address like its IPv4 address', async ({ enter }) => {
    const same = ['198.51.100.7', '::ffff:198.51.100.7', '::ffff:c633:6407', '64:ff9b::198.51.100.7']
    const statuses: number[] = []
    for (const from of [...same, ...same]) statuses.push(await enter('wrong', from))
    expect(statuses).toEqual([...Array(6).fill(401), 429, 429])
  })
})
