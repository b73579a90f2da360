const shownMs = 7000

type Message = { text: string; isError: boolean; id: number }

/** Creates the message of a dialog, which hides after some seconds. */
export function createDialogMessage(onChange: () => void) {
  let message: Message | null = null
  let count = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function hide(): void {
    clearTimeout(timer)
    message = null
    onChange()
  }

  return {
    current: () => message,
    /** Shows a text in place of the last one. Without a text it does nothing. */
    show(text: string | undefined, { isError = false } = {}): void {
      if (!text) return
      clearTimeout(timer)
      count += 1
      message = { text, isError, id: count }
      timer = setTimeout(hide, shownMs)
      onChange()
    },
    hide,
    destroy: () => clearTimeout(timer),
  }
}
