import { isIP } from 'node:net'
import { createBlockList } from '#platform/network/block-list.ts'

/** Returns whether an address is in a network such as `192.0.2.0/24`; null if the network is malformed. */
export function isInNetwork(address: string, network: string): boolean | null {
  const [base = '', bits] = network.split('/')
  const family = isIP(base)
  const length = bits === undefined ? (family === 6 ? 128 : 32) : Number(bits)
  const isValid = family !== 0 && /^\d{1,3}$/.test(String(length)) && length <= (family === 6 ? 128 : 32)
  if (!isValid) return null
  if (isIP(address) !== family) return false
  return createBlockList([network]).check(address, family === 6 ? 'ipv6' : 'ipv4')
}

const internal = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]

/** Returns whether other networks never see the address. */
export function isInternal(address: string): boolean {
  return internal.some((network) => isInNetwork(address, network) === true)
}
