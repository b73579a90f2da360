import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMetrics } from '#platform/metrics.ts'
import { metricValues } from '#test/metric-values.ts'
import { createSubscribers, type LiveSocket, slowSocketBytes } from './subscribers.ts'

/** A socket that records its calls. */
function fakeSocket(bufferedAmount = 0): LiveSocket & { done: string[] } {
  const done: string[] = []
  return {
    done,
    bufferedAmount,
    send: (data) => void done.push(`send ${String(data)}`),
    ping: () => void done.push('ping'),
    close: (code, reason) => void done.push(`close ${code} ${reason}`),
    terminate: () => void done.push('terminate'),
  }
}

function setUp() {
  const metrics = createMetrics({ withProcess: false })
  return { metrics, subscribers: createSubscribers(metrics) }
}

describe('broadcast', () => {
  it('sends the frame to every subscriber', () => {
    const { subscribers } = setUp()
    const sockets = [fakeSocket(), fakeSocket()]
    for (const socket of sockets) subscribers.add(socket)

    subscribers.broadcast('{"x":"é"}')

    expect(sockets.map(({ done }) => done)).toEqual([['send {"x":"é"}'], ['send {"x":"é"}']])
  })

  it('drops a slow socket and no other', async () => {
    const { subscribers, metrics } = setUp()
    const [quick, atTheLimit, slow] = [
      fakeSocket(),
      fakeSocket(slowSocketBytes),
      fakeSocket(slowSocketBytes + 1),
    ]
    for (const socket of [slow, quick, atTheLimit]) subscribers.add(socket)

    subscribers.broadcast('x')

    expect(slow.done).toEqual(['terminate'])
    expect(quick.done).toEqual(['send x'])
    expect(atTheLimit.done).toEqual(['send x'])
    expect(subscribers.size).toBe(2)
    expect(await metricValues(metrics, 'tidings_live_sockets_dropped_total')).toMatchObject([
      { value: 1, labels: { reason: 'slow' } },
    ])
    expect(await metricValues(metrics, 'tidings_live_frames_total')).toMatchObject([{ value: 2 }])
  })
})

describe('broadcastTo', () => {
  it('sends the frame to one room only', () => {
    const { subscribers } = setUp()
    const [inside, elsewhere, plain] = [fakeSocket(), fakeSocket(), fakeSocket()]
    subscribers.add(inside, { memos: true, room: 'a', address: '203.0.113.7' })
    subscribers.add(elsewhere, { memos: true, room: 'b', address: '203.0.113.7' })
    subscribers.add(plain)

    subscribers.broadcastTo('a', 'x')

    expect([inside, elsewhere, plain].map(({ done }) => done)).toEqual([['send x'], [], []])
  })

  it('reaches a socket without memos, which a broadcast does not reach', async () => {
    const { subscribers, metrics } = setUp()
    const [guest, reader] = [fakeSocket(), fakeSocket()]
    subscribers.add(guest, { memos: false, room: 'a', address: '203.0.113.7' })
    subscribers.add(reader, { memos: true, room: 'a', address: '203.0.113.7' })

    subscribers.broadcast('memo')
    subscribers.broadcastTo('a', 'typing')

    expect(guest.done).toEqual(['send typing'])
    expect(reader.done).toEqual(['send memo', 'send typing'])
    expect(await metricValues(metrics, 'tidings_live_frames_total')).toMatchObject([{ value: 3 }])
  })

  it('removes a room with its last socket, whether it left or was dropped', () => {
    const { subscribers } = setUp()
    const [leaving, slow] = [fakeSocket(), fakeSocket(slowSocketBytes + 1)]
    for (const socket of [leaving, slow])
      subscribers.add(socket, { memos: true, room: 'a', address: '203.0.113.7' })

    subscribers.remove(leaving)
    const before = subscribers.hasRoom('a')
    subscribers.broadcastTo('a', 'x')

    expect([before, subscribers.hasRoom('a'), subscribers.size]).toEqual([true, false, 0])
    expect(leaving.done).toEqual([])
    expect(slow.done).toEqual(['terminate'])
  })
})

describe('pingAll', () => {
  it('drops a socket that sent no pong since the last ping', () => {
    const { subscribers } = setUp()
    const [living, dead] = [fakeSocket(), fakeSocket()]
    subscribers.add(living)
    subscribers.add(dead)

    subscribers.pingAll()
    subscribers.onPong(living)
    subscribers.pingAll()

    expect(living.done).toEqual(['ping', 'ping'])
    expect(dead.done).toEqual(['ping', 'terminate'])
    expect(subscribers.size).toBe(1)
  })

  it('gives a new socket a full interval to respond', () => {
    const { subscribers } = setUp()
    const late = fakeSocket()
    subscribers.pingAll()
    subscribers.add(late)

    subscribers.pingAll()

    expect(late.done).toEqual(['ping'])
  })

  it('does not ping a socket that left', () => {
    const { subscribers } = setUp()
    const gone = fakeSocket()
    subscribers.add(gone)
    subscribers.pingAll()
    subscribers.remove(gone)

    subscribers.pingAll()
    subscribers.broadcast('x')

    expect(gone.done).toEqual(['ping'])
  })
})

describe('restartAll', () => {
  it('asks every client to reconnect', () => {
    const { subscribers } = setUp()
    const sockets = [fakeSocket(), fakeSocket()]
    for (const socket of sockets) subscribers.add(socket)

    subscribers.restartAll('read again')

    expect(sockets.map(({ done }) => done)).toEqual([['close 1012 read again'], ['close 1012 read again']])
  })
})

describe('closeGradually', () => {
  it('closes the present sockets one after another in the second half of the time', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { subscribers } = setUp()
    const sockets = [0, 1, 2, 3].map(() => fakeSocket())
    const late = fakeSocket()
    for (const socket of sockets) subscribers.add(socket)
    const closed = () => sockets.filter(({ done }) => done.includes('close 1012 bye')).length

    subscribers.closeGradually('bye', 4_000)
    subscribers.add(late)
    const counts: number[] = []
    for (const ms of [1_999, 1, 499, 1, 500, 500, 500]) {
      await vi.advanceTimersByTimeAsync(ms)
      counts.push(closed())
    }

    expect(counts).toEqual([0, 1, 1, 2, 3, 4, 4])
    expect(late.done).toEqual([])
  })
})

describe('close', () => {
  it('closes every socket and resolves when all are gone', async () => {
    const { subscribers } = setUp()
    const socket = fakeSocket()
    subscribers.add(socket)

    const ended = subscribers.close('bye')
    subscribers.remove(socket)

    await expect(ended).resolves.toBeUndefined()
    expect(socket.done).toEqual(['close 1012 bye'])
  })

  it('terminates sockets that stay open and closes those that connect during the shutdown', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { subscribers } = setUp()
    const [stubborn, late] = [fakeSocket(), fakeSocket()]
    subscribers.add(stubborn)

    const ended = subscribers.close('bye')
    subscribers.add(late)
    await vi.advanceTimersByTimeAsync(2_000)

    await expect(ended).resolves.toBeUndefined()
    expect(stubborn.done).toEqual(['close 1012 bye', 'terminate'])
    expect(late.done).toEqual(['close 1012 bye', 'terminate'])
    expect(subscribers.size).toBe(0)
  })

  it('resolves at once without sockets', async () => {
    await expect(setUp().subscribers.close('bye')).resolves.toBeUndefined()
  })
})

describe('the gauge of open sockets', () => {
  it('counts sockets that connect, leave and are dropped', async () => {
    const { subscribers, metrics } = setUp()
    const sockets = [fakeSocket(), fakeSocket(), fakeSocket(slowSocketBytes + 1)]
    const openSockets = async () => (await metricValues(metrics, 'tidings_live_sockets'))[0]?.value
    for (const socket of sockets) subscribers.add(socket)
    const atFirst = await openSockets()
    const [first] = sockets
    if (first !== undefined) {
      subscribers.remove(first)
      subscribers.remove(first)
    }
    subscribers.broadcast('x')

    expect(atFirst).toBe(3)
    expect(await openSockets()).toBe(1)
  })
})

describe('isFull', () => {
  it('is true for each network of an address that has its share of sockets', () => {
    const { subscribers } = setUp()
    const open = (address: string) => {
      const socket = fakeSocket()
      subscribers.add(socket, { memos: true, room: null, address })
      return socket
    }
    const isFull = (address: string) => subscribers.isFull(address, 2)
    const sockets = [0, 1, 2, 3, 4, 5, 6, 7].map((part) => open(`2001:db8:0:${part >> 1}::${part}`))
    expect(isFull('2001:db8:0:0::9')).toBe(true)
    // The /56 of these four networks has four times as many.
    expect([isFull('2001:db8:0:ff::1'), isFull('2001:db8:0:100::1')]).toEqual([true, false])
    for (const [index] of Array.from({ length: 24 }).entries()) {
      open(`2001:db8:0:${((index + 1) * 0x100).toString(16)}::1`)
    }
    expect([isFull('2001:db8:0:fe00::1'), isFull('2001:db8:1::1'), isFull('203.0.113.7')]).toEqual([
      true,
      false,
      false,
    ])
    for (const socket of sockets) subscribers.remove(socket)
    expect([isFull('2001:db8:0:0::9'), isFull('2001:db8:0:fe00::1')]).toEqual([false, false])
  })
})
