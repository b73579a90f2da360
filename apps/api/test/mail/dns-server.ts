import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import dnsPacket, { type Answer } from 'dns-packet'
import { onTestFinished } from 'vitest'

/** The records of a name, or how the server fails. A text is split where it must be; a list is split so. */
export type DnsName =
  | {
      TXT?: readonly (string | readonly string[])[]
      MX?: readonly (readonly [priority: number, exchange: string])[]
      A?: readonly string[]
      AAAA?: readonly string[]
      PTR?: readonly string[]
      CNAME?: string
    }
  | 'SERVFAIL'
  | 'silent'

const servfail = 2
const nxdomain = 3

/** Starts a DNS server with these names until the end of the test. Returns its address and port; 0 takes a free one. */
export async function startDnsServer(names: Readonly<Record<string, DnsName>>, port = 0): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (packet, { address, port }) => {
    const { id, questions = [] } = dnsPacket.decode(packet)
    const [question] = questions
    if (question === undefined) return
    const found = names[question.name.toLowerCase()]
    if (found === 'silent') return
    const answers = typeof found === 'object' ? answersOf(names, question.name, question.type) : []
    const code = found === 'SERVFAIL' ? servfail : found === undefined ? nxdomain : 0
    const flags = dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE | code
    socket.send(dnsPacket.encode({ type: 'response', id: id ?? 0, flags, questions, answers }), port, address)
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}

function answersOf(names: Readonly<Record<string, DnsName>>, name: string, type: string): Answer[] {
  const found = names[name.toLowerCase()]
  if (typeof found !== 'object') return []
  if (found.CNAME !== undefined) {
    return [{ type: 'CNAME', name, data: found.CNAME }, ...answersOf(names, found.CNAME, type)]
  }
  switch (type) {
    case 'TXT':
      return (found.TXT ?? []).map((data) => ({
        type,
        name,
        data: typeof data === 'string' ? (data.match(/.{1,255}/g) ?? []) : [...data],
      }))
    case 'MX':
      return (found.MX ?? []).map(([preference, exchange]) => ({
        type,
        name,
        data: { preference, exchange },
      }))
    case 'A':
    case 'AAAA':
    case 'PTR':
      return (found[type] ?? []).map((data) => ({ type, name, data }))
    default:
      return []
  }
}
