type Socket = { close(code: number, reason: string): void }

/** The close code that asks a client to reconnect. */
export const serviceRestart = 1012

/** Closes sockets at once. */
export function restartSockets(sockets: ReadonlySet<Socket>, reason: string): void {
  for (const socket of sockets) socket.close(serviceRestart, reason)
}

/**
 * Closes the present sockets, spread over the second half of this time: in the first half, proxies choose another process.
 * Later sockets stay open.
 */
export function restartGradually(sockets: ReadonlySet<Socket>, reason: string, totalMs: number): void {
  for (const [index, socket] of [...sockets].entries()) {
    const delayMs = (totalMs / 2) * (1 + index / sockets.size)
    setTimeout(() => sockets.has(socket) && socket.close(serviceRestart, reason), delayMs).unref()
  }
}
