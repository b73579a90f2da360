import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepDeskSocket } from './desk-socket.ts'

class FakeSocket {
  onopen: (() => void) | null = null
  onmessage: ((message: MessageEvent) => void) | null = null
  onclose: (() => void) | null = null
  close = vi.fn()
  send = vi.fn()
}

const sockets: FakeSocket[] = []
const onEvent = vi.fn()
const onReturn = vi.fn()
const onLost = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  sockets.length = 0
  vi.clearAllMocks()
})
afterEach(() => vi.useRealTimers())

function open() {
  return keepDeskSocket({
    connect() {
      const socket = new FakeSocket()
      sockets.push(socket)
      return socket
    },
    onEvent,
    onReturn,
    onLost,
  })
}

it('connects again after growing delays, and says when it is back', () => {
  const { close } = open()
  sockets[0]?.onopen?.()
  expect(onReturn).not.toHaveBeenCalled()
  sockets[0]?.onclose?.()
  vi.advanceTimersByTime(1_000)
  sockets[1]?.onclose?.()
  vi.advanceTimersByTime(1_999)
  expect(sockets).toHaveLength(2)
  vi.advanceTimersByTime(1)
  sockets[2]?.onopen?.()
  expect(onReturn).toHaveBeenCalledTimes(1)
  close()
  expect(sockets[2]?.close).toHaveBeenCalled()
})

it('passes on events, and nothing that isn’t one', () => {
  const { close } = open()
  const event = { type: 'comment', comment: 'cmt_1', change: 'new' }
  sockets[0]?.onmessage?.(new MessageEvent('message', { data: JSON.stringify(event) }))
  sockets[0]?.onmessage?.(new MessageEvent('message', { data: 'no JSON' }))
  expect(onEvent.mock.calls).toEqual([[event]])
  close()
})

it('says what is open once it is connected, when it changes, and every ten seconds', () => {
  const { tell, close } = open()
  const socket = sockets[0]
  tell({ memo: 'a memo', article: null })
  expect(socket?.send).not.toHaveBeenCalled()
  socket?.onopen?.()
  expect(socket?.send.mock.calls).toEqual([
    [JSON.stringify({ type: 'presence', memo: 'a memo', article: null })],
  ])
  tell({ memo: null, article: null })
  expect(socket?.send).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(10_000)
  expect(socket?.send).toHaveBeenCalledTimes(3)
  close()
  vi.advanceTimersByTime(10_000)
  expect(socket?.send).toHaveBeenCalledTimes(3)
})

it('says when nobody knows any more who is there', () => {
  const { close } = open()
  sockets[0]?.onopen?.()
  expect(onLost).not.toHaveBeenCalled()
  sockets[0]?.onclose?.()
  expect(onLost).toHaveBeenCalledTimes(1)
  close()
})
