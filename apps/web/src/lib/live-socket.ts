/** What a socket tells its owner. `code` is the close code of the WebSocket protocol. */
export type SocketEars = {
  opened: () => void
  received: (text: string) => void
  closed: (code: number) => void
}

/** Opens a socket to a path of the site; the result closes it. */
export type OpenSocket = (path: string, ears: SocketEars) => { close: () => void }

/** Opens a browser's WebSocket on the page's own origin. */
export const openBrowserSocket: OpenSocket = (path, ears) => {
  // Older browsers want the whole address, with the scheme of sockets.
  const socket = new WebSocket(new URL(path, window.location.origin).href.replace(/^http/, 'ws'))
  socket.addEventListener('open', () => ears.opened())
  socket.addEventListener('message', (message) => {
    if (typeof message.data === 'string') ears.received(message.data)
  })
  socket.addEventListener('close', (event) => ears.closed(event.code))
  return { close: () => socket.close() }
}
