import { describe, expect, it } from 'vitest'
import { networksOf } from './networks.ts'

describe('the narrowest network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['0000:0000:0000:0000:0000:ffff:cb00:7107', '203.0.113.7'],
    ['::ffff:203.0.113.7%eth0', '203.0.113.7'],
    ['64:ff9b::203.0.113.7', '203.0.113.7'],
    ['64:ff9b::cb00:7107', '203.0.113.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8:0:0::/64'],
    ['2001:db8::203.0.113.7', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('of %j is %s', (address, network) => {
    expect(networksOf(address)[0].name).toBe(network)
  })

  it('distinguishes two IPv6 networks', () => {
    expect(networksOf('2001:db8:0:1::1')[0]).not.toEqual(networksOf('2001:db8:0:2::1')[0])
  })
})

describe('networksOf', () => {
  it.each([
    ['2001:db8:a:bcde::1', ['2001:db8:a:bcde::/64', '2001:db8:a:bc00::/56', '2001:db8:a::/48']],
    ['2001:db8:a:bcff::1', ['2001:db8:a:bcff::/64', '2001:db8:a:bc00::/56', '2001:db8:a::/48']],
    ['2001:db8:ffff:ffff::1', ['2001:db8:ffff:ffff::/64', '2001:db8:ffff:ff00::/56', '2001:db8:ffff::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']],
    ['::ffff:203.0.113.7', ['203.0.113.7']],
    ['203.0.113.7', ['203.0.113.7']],
    ['mem_abc', ['mem_abc']],
  ])('returns for %j the networks %j', (address, names) => {
    expect(networksOf(address).map(({ name }) => name)).toEqual(names)
  })

  it('gives wider networks a larger share, but not that of all their parts', () => {
    expect(networksOf('2001:db8::1').map(({ share }) => share)).toEqual([1, 4, 16])
  })
})
