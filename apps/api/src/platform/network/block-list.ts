import { BlockList, isIPv6 } from 'node:net'

/** Returns a list of addresses and networks, such as `192.0.2.1` and `2001:db8::/32`. */
export function createBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}
