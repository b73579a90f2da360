const idleAfterLoadMs = 2000

/** Calls back once the page has loaded and nothing else runs; returns what cancels it. */
export function whenIdle(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  function wait() {
    timer = setTimeout(
      () => ('requestIdleCallback' in window ? requestIdleCallback(run) : run()),
      idleAfterLoadMs,
    )
  }
  if (document.readyState === 'complete') wait()
  else window.addEventListener('load', wait, { once: true })
  return () => {
    clearTimeout(timer)
    window.removeEventListener('load', wait)
  }
}
