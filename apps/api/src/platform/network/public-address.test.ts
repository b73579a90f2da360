import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

describe('a public address', () => {
  it.each(['1.1.1.1', '142.250.74.36', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
    'is %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    ['this host', '0.0.0.0'],
    ['this machine', '127.0.0.1'],
    ['this machine', '127.8.9.10'],
    ['a private network', '10.1.2.3'],
    ['a private network', '172.16.0.1'],
    ['a private network', '172.31.255.255'],
    ['a private network', '192.168.1.1'],
    ['a shared network', '100.64.0.1'],
    ['a link and the metadata of clouds', '169.254.169.254'],
    ['documentation', '203.0.113.7'],
    ['a benchmark', '198.19.0.1'],
    ['a group', '224.0.0.1'],
    ['everyone', '255.255.255.255'],
    ['this machine', '::1'],
    ['no host', '::'],
    ['a private one in IPv6', '::ffff:10.0.0.1'],
    ['a private one behind NAT64', '64:ff9b::a00:1'],
    ['a private one behind 6to4', '2002:a00:1::1'],
    ['a private network', 'fd00::1'],
    ['a link', 'fe80::1'],
    ['a group', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['a name', 'localhost'],
    ['nothing', ''],
  ])('is not that of %s: %s', (_what, address) => expect(isPublicAddress(address)).toBe(false))
})
