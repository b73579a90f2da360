import { describe, expect, it } from 'vitest'
import { startDnsServer } from '#test/mail/dns-server.ts'
import { createNameResolver } from './resolve-name.ts'

describe('a name that others choose', () => {
  it('has the addresses of both families', async () => {
    const server = await startDnsServer({
      'both.example': { A: ['142.250.74.36'], AAAA: ['2a00:1450:4001::1'] },
      'new.example': { AAAA: ['2a00:1450:4001::1'] },
    })
    const resolve = createNameResolver([server])
    const ip6 = { address: '2a00:1450:4001::1', family: 6 }
    expect(await resolve('both.example')).toEqual([{ address: '142.250.74.36', family: 4 }, ip6])
    expect(await resolve('new.example')).toEqual([ip6])
    expect(await resolve('142.250.74.36')).toEqual([{ address: '142.250.74.36', family: 4 }])
    await expect(resolve('none.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  it('is given up within seconds if the servers are silent, for many names as for one', {
    timeout: 12_000,
  }, async () => {
    const names = Array.from({ length: 60 }, (_, each) => `push-${each}.example`)
    const server = await startDnsServer(Object.fromEntries(names.map((name) => [name, 'silent'])))
    const resolve = createNameResolver([server])
    const codes = await Promise.all(names.map((name) => resolve(name).catch(({ code }) => code)))
    expect(codes).toEqual(names.map(() => 'ETIMEOUT'))
  })
})
