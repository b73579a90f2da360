const pollMs = 500

/**
 * Makes a call that opens the window of an identity provider. Published clients wait forever for a window that the browser
 * blocks or the reader closes.
 * @throws `popup-blocked` or `popup-closed`
 */
export function callInWindow(call: () => unknown): unknown {
  const { open } = window
  let opened: Window | null | undefined
  // The client opens the window during the call and doesn't return it.
  window.open = (...parameters) => {
    opened = Reflect.apply(open, window, parameters)
    return opened ?? null
  }
  try {
    const reply = call()
    if (opened === null) return Promise.reject({ code: 'popup-blocked' })
    return opened === undefined ? reply : untilClosed(opened, reply)
  } finally {
    window.open = open
  }
}

function untilClosed(opened: Window, reply: unknown): Promise<unknown> {
  const closed = Promise.withResolvers<never>()
  let wasClosed = false
  // The window closes right after it posts, so the message may arrive after the first check.
  const timer = setInterval(() => {
    if (wasClosed) closed.reject({ code: 'popup-closed' })
    wasClosed = opened.closed
  }, pollMs)
  return Promise.race([reply, closed.promise]).finally(() => clearInterval(timer))
}
