/** Returns the focused element, also inside open shadow roots. */
export function focusedElement(): HTMLElement | null {
  let focused = document.activeElement
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  return focused instanceof HTMLElement && focused !== document.body ? focused : null
}

/** Calls back when an element leaves the page. Returns the function that stops watching. */
export function watchRemoval(element: HTMLElement, onRemoved: () => void): () => void {
  const observer = new MutationObserver(() => {
    if (!element.isConnected) onRemoved()
  })
  observer.observe(document.documentElement, { childList: true })
  if (element.parentNode) observer.observe(element.parentNode, { childList: true })
  return () => observer.disconnect()
}

/**
 * Makes the rest of the page inert. Elements that are appended later stay usable, such as the challenge of a captcha.
 * Returns the function that restores the page.
 */
export function holdPage(host: Element): () => void {
  const held: HTMLElement[] = []
  for (let inside = host; inside.parentElement; inside = inside.parentElement) {
    for (const sibling of inside.parentElement.children) {
      if (sibling === inside || !(sibling instanceof HTMLElement) || sibling.inert) continue
      sibling.inert = true
      held.push(sibling)
    }
  }
  return () => {
    for (const element of held) element.inert = false
  }
}
