import type { Clock } from '#platform/clock.ts'

const messagesPerWindow = 30
const windowMs = 10_000

/** Returns a function that counts a socket's message, and returns whether that is more than pages send. */
export function createMessageLimit(clock: Clock): (socket: object) => boolean {
  const windows = new WeakMap<object, { start: number; messages: number }>()
  return (socket) => {
    const now = clock.now().getTime()
    const last = windows.get(socket)
    const window = last !== undefined && now - last.start < windowMs ? last : { start: now, messages: 0 }
    window.messages += 1
    windows.set(socket, window)
    return window.messages > messagesPerWindow
  }
}
