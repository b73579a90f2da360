import { isIP, isIPv6 } from 'node:net'
import { createBlockList } from './block-list.ts'

// The special-purpose registries of IANA: everything that is not reachable from anywhere.
const reserved = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
]
// Of IPv6, only these are public, without the parts that lead to IPv4 or nowhere.
const globalUnicast = '2000::/3'
const reservedUnicast = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const notPublic = createBlockList(reserved)
const unicast = createBlockList([globalUnicast])
const notUnicast = createBlockList(reservedUnicast)

/** Returns whether an IP address is one of the public internet: not of this machine, its network or its cloud. */
export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) return unicast.check(address, 'ipv6') && !notUnicast.check(address, 'ipv6')
  return isIP(address) === 4 && !notPublic.check(address, 'ipv4')
}
