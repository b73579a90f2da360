/** Moves the focus, unless the reader has gone elsewhere. */
export type LateFocus = (target: HTMLElement | null | undefined, options?: FocusOptions) => void

/** Returns what moves the focus once an action has finished. Call it when the action begins, where the reader still is. */
export function lateFocus(): LateFocus {
  const { activeElement: pressed, body } = document
  return (target, options) => {
    const { activeElement } = document
    if (activeElement === null || activeElement === body || activeElement === pressed) target?.focus(options)
  }
}
