import { isIPv6 } from 'node:net'

/** A network that a caller belongs to. */
export type Network = {
  /** Its name: an IPv4 address, or the prefix of IPv6 addresses with its length. */
  name: string
  /** How many times the limit of a single network it has. */
  share: number
}

// The owner of a /48 has 65,536 networks of 64 bits. A mobile operator's /48 has as many phones.
const ipv6Networks = [
  { bits: 64, share: 1 },
  { bits: 56, share: 4 },
  { bits: 48, share: 16 },
] as const
/** The shares of an address's networks, from the narrowest to the widest. */
export const networkShares: readonly number[] = ipv6Networks.map(({ share }) => share)

const groupBits = 16

/**
 * Returns the networks by which the calls of an address count, from the narrowest to the widest. A text that is no
 * address counts by itself.
 */
export function networksOf(address: string): [Network, ...Network[]] {
  const groups = parseIPv6(address)
  if (groups === null) return [{ name: address, share: 1 }]
  const ipv4 = embeddedIPv4(groups)
  if (ipv4 !== null) return [{ name: ipv4, share: 1 }]
  const [narrowest, ...wider] = ipv6Networks
  const networkOfBits = ({ bits, share }: { bits: number; share: number }) => ({
    name: `${prefixOf(groups, bits)}::/${bits}`,
    share,
  })
  return [networkOfBits(narrowest), ...wider.map(networkOfBits)]
}

/** Returns the eight groups of an IPv6 address; null for another text. */
function parseIPv6(address: string): number[] | null {
  const text = address.split('%')[0] ?? ''
  if (!isIPv6(text)) return null
  // A URL has the shortest form, without dots.
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::')
  const left = groupsOf(head)
  const right = groupsOf(tail ?? '')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<number>(zeros).fill(0), ...right]
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}

/** Returns the IPv4 address of a client that reached us through a dual-stack socket or a translator (RFC 4291, 6052). */
function embeddedIPv4(groups: readonly number[]): string | null {
  const prefix = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':')
  if (prefix !== '0:0:0:0:0:ffff' && prefix !== '64:ff9b:0:0:0:0') return null
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}

function prefixOf(groups: readonly number[], bits: number): string {
  return groups
    .slice(0, Math.ceil(bits / groupBits))
    .map((group, index) => {
      const kept = Math.min(groupBits, bits - index * groupBits)
      return (group & (0xffff << (groupBits - kept))).toString(16)
    })
    .join(':')
}
