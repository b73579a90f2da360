import { describe, expect, it } from 'vitest'
import { networkOf, waitInWords } from './rate-limits.ts'

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('returns for %j the network %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it('distinguishes two IPv6 networks', () => {
    expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8:0:2::1'))
  })
})

describe('waitInWords', () => {
  it.each([
    [1, 'in 10 seconds'],
    [10, 'in 10 seconds'],
    [11, 'in 20 seconds'],
    [50, 'in 50 seconds'],
    [51, 'in a minute'],
    [60, 'in a minute'],
    [61, 'in 2 minutes'],
    [898, 'in 15 minutes'],
    [3_540, 'in 59 minutes'],
    [3_541, 'in an hour'],
    [3_600, 'in an hour'],
    [3_601, 'in 61 minutes'],
    [7_140, 'in 119 minutes'],
    [7_141, 'in 2 hours'],
    [7_201, 'in 3 hours'],
    [86_400, 'in 24 hours'],
  ])('formats %i seconds as %j', (seconds, words) => {
    expect(waitInWords(seconds)).toBe(words)
  })
})
