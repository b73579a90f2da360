/** Callbacks of one socket. `code` is the close code of the WebSocket protocol. */
export type SocketHandlers = {
  onOpen: () => void
  onMessage: (text: string) => void
  onClose: (code: number) => void
}

/** Opens a socket to a path of the site, with subprotocols; the result closes it. */
export type OpenSocket = (
  path: string,
  handlers: SocketHandlers,
  protocols?: string[],
) => { close: () => void }

/** Opens a WebSocket on the page's own origin. */
export const openBrowserSocket: OpenSocket = (path, handlers, protocols = []) => {
  // Older browsers need the absolute address, with the scheme of sockets.
  const url = new URL(path, window.location.origin).href.replace(/^http/, 'ws')
  const socket = new WebSocket(url, protocols)
  socket.addEventListener('open', () => handlers.onOpen())
  socket.addEventListener('message', (message) => {
    if (typeof message.data === 'string') handlers.onMessage(message.data)
  })
  socket.addEventListener('close', (event) => handlers.onClose(event.code))
  return { close: () => socket.close() }
}
