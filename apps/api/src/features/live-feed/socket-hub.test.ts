import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMetrics } from '#platform/metrics.ts'
import { createSocketHub, type LiveSocket, slowSocketBytes } from './socket-hub.ts'

/** A socket that notes what is done to it. */
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
  return { metrics, hub: createSocketHub(metrics) }
}

async function currentOf(metric: {
  get(): Promise<{ values: { value: number }[] }>
}): Promise<number | undefined> {
  return (await metric.get()).values[0]?.value
}

describe('broadcast', () => {
  it('sends the frame to everybody', () => {
    const { hub } = setUp()
    const sockets = [fakeSocket(), fakeSocket()]
    for (const socket of sockets) hub.add(socket)

    hub.broadcast('{"x":"é"}')

    expect(sockets.map(({ done }) => done)).toEqual([['send {"x":"é"}'], ['send {"x":"é"}']])
  })

  it('drops whoever is too far behind, and nobody else', async () => {
    const { hub, metrics } = setUp()
    const [quick, atTheLimit, slow] = [
      fakeSocket(),
      fakeSocket(slowSocketBytes),
      fakeSocket(slowSocketBytes + 1),
    ]
    for (const socket of [slow, quick, atTheLimit]) hub.add(socket)

    hub.broadcast('x')

    expect(slow.done).toEqual(['terminate'])
    expect(quick.done).toEqual(['send x'])
    expect(atTheLimit.done).toEqual(['send x'])
    expect(hub.size).toBe(2)
    expect((await metrics.socketsDropped.get()).values).toMatchObject([
      { value: 1, labels: { reason: 'slow' } },
    ])
    expect(await currentOf(metrics.framesSent)).toBe(2)
  })
})

describe('broadcastTo', () => {
  it('sends the frame to a room alone', () => {
    const { hub } = setUp()
    const [inside, elsewhere, plain] = [fakeSocket(), fakeSocket(), fakeSocket()]
    hub.add(inside, { memos: true, room: 'a', network: '203.0.113.7' })
    hub.add(elsewhere, { memos: true, room: 'b', network: '203.0.113.7' })
    hub.add(plain)

    hub.broadcastTo('a', 'x')

    expect([inside, elsewhere, plain].map(({ done }) => done)).toEqual([['send x'], [], []])
  })

  it('reaches who gets no memos, and a broadcast does not', async () => {
    const { hub, metrics } = setUp()
    const [guest, reader] = [fakeSocket(), fakeSocket()]
    hub.add(guest, { memos: false, room: 'a', network: '203.0.113.7' })
    hub.add(reader, { memos: true, room: 'a', network: '203.0.113.7' })

    hub.broadcast('memo')
    hub.broadcastTo('a', 'typing')

    expect(guest.done).toEqual(['send typing'])
    expect(reader.done).toEqual(['send memo', 'send typing'])
    expect(await currentOf(metrics.framesSent)).toBe(3)
  })

  it('forgets a room with its last socket, whether it left or was dropped', () => {
    const { hub } = setUp()
    const [leaving, slow] = [fakeSocket(), fakeSocket(slowSocketBytes + 1)]
    for (const socket of [leaving, slow]) hub.add(socket, { memos: true, room: 'a', network: '203.0.113.7' })

    hub.remove(leaving)
    const before = hub.hasRoom('a')
    hub.broadcastTo('a', 'x')

    expect([before, hub.hasRoom('a'), hub.size]).toEqual([true, false, 0])
    expect(leaving.done).toEqual([])
    expect(slow.done).toEqual(['terminate'])
  })
})

describe('beat', () => {
  it('drops at the second beat whoever did not answer the first', () => {
    const { hub } = setUp()
    const [living, dead] = [fakeSocket(), fakeSocket()]
    hub.add(living)
    hub.add(dead)

    hub.beat()
    hub.heard(living)
    hub.beat()

    expect(living.done).toEqual(['ping', 'ping'])
    expect(dead.done).toEqual(['ping', 'terminate'])
    expect(hub.size).toBe(1)
  })

  it('gives a socket that came between two beats its time to answer', () => {
    const { hub } = setUp()
    const late = fakeSocket()
    hub.beat()
    hub.add(late)

    hub.beat()

    expect(late.done).toEqual(['ping'])
  })

  it('forgets a socket that left', () => {
    const { hub } = setUp()
    const gone = fakeSocket()
    hub.add(gone)
    hub.beat()
    hub.remove(gone)

    hub.beat()
    hub.broadcast('x')

    expect(gone.done).toEqual(['ping'])
  })
})

describe('restartAll', () => {
  it('asks everybody to connect again', () => {
    const { hub } = setUp()
    const sockets = [fakeSocket(), fakeSocket()]
    for (const socket of sockets) hub.add(socket)

    hub.restartAll('read again')

    expect(sockets.map(({ done }) => done)).toEqual([['close 1012 read again'], ['close 1012 read again']])
  })
})

describe('end', () => {
  it('sends everybody away and resolves when they are gone', async () => {
    const { hub } = setUp()
    const socket = fakeSocket()
    hub.add(socket)

    const ended = hub.end('bye')
    hub.remove(socket)

    await expect(ended).resolves.toBeUndefined()
    expect(socket.done).toEqual(['close 1012 bye'])
  })

  it('cuts off who does not go, and sends away who still comes', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { hub } = setUp()
    const [stubborn, late] = [fakeSocket(), fakeSocket()]
    hub.add(stubborn)

    const ended = hub.end('bye')
    hub.add(late)
    await vi.advanceTimersByTimeAsync(2_000)

    await expect(ended).resolves.toBeUndefined()
    expect(stubborn.done).toEqual(['close 1012 bye', 'terminate'])
    expect(late.done).toEqual(['close 1012 bye', 'terminate'])
    expect(hub.size).toBe(0)
  })

  it('resolves at once when nobody is there', async () => {
    await expect(setUp().hub.end('bye')).resolves.toBeUndefined()
  })
})

describe('the gauge of open sockets', () => {
  it('follows who comes, leaves and is dropped', async () => {
    const { hub, metrics } = setUp()
    const sockets = [fakeSocket(), fakeSocket(), fakeSocket(slowSocketBytes + 1)]
    for (const socket of sockets) hub.add(socket)
    const atFirst = await currentOf(metrics.sockets)
    const [first] = sockets
    if (first !== undefined) {
      hub.remove(first)
      hub.remove(first)
    }
    hub.broadcast('x')

    expect(atFirst).toBe(3)
    expect(await currentOf(metrics.sockets)).toBe(1)
  })
})
