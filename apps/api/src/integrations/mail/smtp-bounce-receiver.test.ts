import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { startBounceReceiver } from '#test/mail/bounce-receiver.ts'
import type { BounceHandler } from './bounce-receiver.ts'
import { defaultConnectionLimits as limits } from './reports/connection-guard.ts'
import type { MailReport } from './reports/mail-report.ts'

const own = 'b.1@bounces.example.com'

function createRecorder(record = async () => {}) {
  const received: [string, MailReport][] = []
  const handler: BounceHandler = {
    isReturnAddress: (address) => address.startsWith('b.'),
    admit: (address) => received.filter(([each]) => each === address).length < 2,
    async receive(address, report) {
      await record()
      received.push([address, report])
    },
  }
  return { handler, received }
}

/** Opens a connection. `say` sends a line and returns the reply; null after the end of the connection. */
async function open(port: number, localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const closed = new Promise<null>((resolve) => socket.once('close', () => resolve(null)))
  const replies = new ReadableStream<string>({
    start(stream) {
      let text = ''
      socket.on('data', (chunk) => {
        const lines = (text + chunk).split('\r\n')
        text = lines.pop() ?? ''
        for (const line of lines) if (!/^\d{3}-/.test(line)) stream.enqueue(line)
      })
    },
  }).getReader()
  const reply = async () => (await Promise.race([replies.read(), closed]))?.value ?? null
  const say = async (line: string) => {
    socket.write(`${line}\r\n`)
    return await reply()
  }
  return { socket, closed, say, greeting: await reply() }
}

type Connection = Awaited<ReturnType<typeof open>>

async function deliver({ say }: Connection, message: string, to = own): Promise<string | null> {
  await say('EHLO mx.example.org')
  await say('MAIL FROM:<>')
  const reply = await say(`RCPT TO:<${to}>`)
  if (reply?.startsWith('250') !== true) return reply
  await say('DATA')
  return await say(`${message}\r\n.`)
}

const report = (fields: string) =>
  [
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.org',
    '',
    fields,
    '--b--',
  ].join('\r\n')
const bounce = report('Action: failed\r\nStatus: 5.1.1')

describe('a report', () => {
  it('is handed over with the address that it was sent to', async () => {
    const { handler, received } = createRecorder()
    const { port } = await startBounceReceiver(handler)
    expect(await deliver(await open(port), bounce)).toMatch(/^250/)
    expect(received).toMatchObject([[own, { kind: 'bounced', status: '5.1.1' }]])
  })

  it('to another address, to two, or to one that had too many is refused', async () => {
    const { handler, received } = createRecorder()
    const { port } = await startBounceReceiver(handler)
    expect(await deliver(await open(port), bounce, 'hello@example.com')).toMatch(/^550 5\.1\.1/)
    const two = await open(port)
    await two.say('EHLO mx.example.org')
    await two.say('MAIL FROM:<>')
    await two.say(`RCPT TO:<${own}>`)
    expect(await two.say('RCPT TO:<b.2@bounces.example.com>')).toMatch(/^452 4\.5\.3/)
    const replies: (string | null)[] = []
    for (let each = 0; each < 3; each += 1) {
      const connection = await open(port)
      replies.push(await deliver(connection, bounce))
      connection.socket.destroy()
    }
    expect(replies).toEqual([
      expect.stringMatching(/^250/),
      expect.stringMatching(/^250/),
      expect.stringMatching(/^550 5\.7\.1/),
    ])
    expect(received).toHaveLength(2)
  })

  it('that can not be recorded now is sent again later', async () => {
    const { handler } = createRecorder(() => Promise.reject(new Error('The database is down')))
    const { port } = await startBounceReceiver(handler)
    expect(await deliver(await open(port), bounce)).toMatch(/^451/)
  })

  it('is answered although the other side has ended, as Exim does with its last command', async () => {
    const { handler, received } = createRecorder()
    const { port } = await startBounceReceiver(handler)
    const { say, socket, closed } = await open(port)
    await say('EHLO mx.example.org')
    await say('MAIL FROM:<>')
    await say(`RCPT TO:<${own}>`)
    await say('DATA')
    const replied = say(`${bounce}\r\n.\r\nQUIT`)
    socket.end()
    expect(await replied).toMatch(/^250/)
    expect(received).toHaveLength(1)
    await closed
  })

  it('with 50,000 blocks costs the process little, and the next one is read', async () => {
    const { handler, received } = createRecorder()
    const { port } = await startBounceReceiver(handler)
    const before = process.threadCpuUsage()
    expect(await deliver(await open(port), report('Action: delayed\r\n\r\n'.repeat(50_000)))).toMatch(/^250/)
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(500)
    expect(await deliver(await open(port), bounce)).toMatch(/^250/)
    expect(received).toHaveLength(1)
  })

  it('of more than a megabyte is refused, and an endless one ends the connection', async () => {
    const { handler } = createRecorder()
    const { port } = await startBounceReceiver(handler)
    expect(await deliver(await open(port), 'x\r\n'.repeat(400_000))).toMatch(/^552/)
    const endless = await open(port)
    expect(await deliver(endless, 'x\r\n'.repeat(1_200_000))).toMatch(/^421|null/)
    await endless.closed
  })
})

describe('the receiver', () => {
  it('serves others while one address has 50 idle connections', async () => {
    const { handler, received } = createRecorder()
    const { port } = await startBounceReceiver(handler)
    const idle = await Promise.all(Array.from({ length: 50 }, () => open(port, '127.0.0.2')))
    expect(idle.filter(({ greeting }) => greeting?.startsWith('220'))).toHaveLength(limits.atOnce)
    expect(await deliver(await open(port), bounce)).toMatch(/^250/)
    expect(received).toHaveLength(1)
  })

  it('ends the oldest connection when all are taken', async () => {
    const { handler } = createRecorder()
    const { port } = await startBounceReceiver(handler, { limits: { ...limits, atOnceInAll: 2 } })
    const first = await open(port, '127.0.0.2')
    const second = await open(port, '127.0.0.3')
    const third = await open(port, '127.0.0.4')
    await first.closed
    expect(await second.say('NOOP')).toMatch(/^250/)
    expect(await third.say('NOOP')).toMatch(/^250/)
  })

  it.each([
    ['commands', 'NOOP'],
    ['errors', 'RCPT TO:<stranger@example.com>'],
  ] as const)(
    'ends a connection with too many %s, and others of its address for a minute',
    async (event, command) => {
      const clock = createFixedClock(new Date('2026-11-20T17:00:00.000Z'))
      const { handler } = createRecorder()
      const perMinute = { ...limits.perMinute, [event]: { max: 5, maxInAll: 100 } }
      const { port } = await startBounceReceiver(handler, { clock, limits: { ...limits, perMinute } })
      const sent = async (from: string) => {
        const connection = await open(port, from)
        const opening = ['EHLO mx.example.org', 'MAIL FROM:<>']
        for (const line of [...opening, ...Array.from({ length: 10 }, () => command)]) {
          if ((await connection.say(line)) === null) return 'ended'
        }
        return 'open'
      }
      expect(await sent('127.0.0.2')).toBe('ended')
      clock.pass(59_000)
      expect(await sent('127.0.0.2')).toBe('ended')
      const other = await open(port, '127.0.0.3')
      expect(await other.say('EHLO mx.example.org')).toMatch(/^250/)
      clock.pass(1_000)
      expect(await (await open(port, '127.0.0.2')).say('EHLO mx.example.org')).toMatch(/^250/)
    },
  )

  it('refuses more new connections of an address than a minute allows, and none of others for it', async () => {
    const { handler } = createRecorder()
    const perMinute = { ...limits.perMinute, connections: { max: 3, maxInAll: 4 } }
    const { port } = await startBounceReceiver(handler, { limits: { ...limits, perMinute } })
    const greetings: (string | null)[] = []
    for (let each = 0; each < 5; each += 1) {
      const { socket, greeting } = await open(port, '127.0.0.2')
      greetings.push(greeting?.slice(0, 3) ?? null)
      socket.destroy()
    }
    expect(greetings.map((code) => code === '220')).toEqual([true, true, true, false, false])
    expect((await open(port)).greeting).toMatch(/^220/)
  })

  it('sets no limit of one address to our own mail servers', async () => {
    const { handler } = createRecorder()
    const { port } = await startBounceReceiver(handler, { relays: ['10.0.0.0/8', '127.0.0.0/30'] })
    const all = await Promise.all(Array.from({ length: 20 }, () => open(port, '127.0.0.2')))
    expect(all.every(({ greeting }) => greeting?.startsWith('220'))).toBe(true)
  })

  it('ends its side of a connection that the other side has ended', async () => {
    const { handler } = createRecorder()
    const { port } = await startBounceReceiver(handler)
    const { say, socket, closed } = await open(port)
    await say('EHLO mx.example.org')
    socket.end()
    await closed
  })

  it('ends a connection after a time, however busy it is', async () => {
    const { handler } = createRecorder()
    const commands = { max: 1_000_000, maxInAll: 1_000_000 }
    const perMinute = { ...limits.perMinute, commands }
    const { port } = await startBounceReceiver(handler, {
      limits: { ...limits, perMinute, connectionMs: 300 },
    })
    const { say, closed } = await open(port)
    while ((await say('NOOP'))?.startsWith('250'));
    await closed
  })

  it('closes at once although connections are open, and records what has arrived', async () => {
    const recording = Promise.withResolvers<void>()
    const isRecording = Promise.withResolvers<void>()
    const { handler, received } = createRecorder(async () => {
      isRecording.resolve()
      await recording.promise
    })
    const { port, receiver } = await startBounceReceiver(handler)
    await open(port)
    const sent = deliver(await open(port), bounce)
    await isRecording.promise
    const closed = receiver.close()
    recording.resolve()
    await closed
    await sent
    expect(received).toHaveLength(1)
  })
})
