import { useEffect, useState } from 'react'

const text = '[data-field="memo_content"]'

/** Folds the picture while the text has the focus, but never under a pressed pointer, whose target would move. */
export function useIsFolded(): { isFolded: boolean; unfold: () => void } {
  const [isFolded, setFolded] = useState(false)
  useEffect(() => {
    let isPressed = false
    const isInText = () => document.activeElement?.closest(text) !== null && document.activeElement !== null
    const onDown = () => {
      isPressed = true
    }
    const onUp = () => {
      isPressed = false
      if (isInText()) setFolded(true)
    }
    const onFocus = () => {
      if (!isPressed) setFolded(isInText())
    }
    document.addEventListener('pointerdown', onDown, true)
    document.addEventListener('pointerup', onUp, true)
    document.addEventListener('pointercancel', onUp, true)
    document.addEventListener('focusin', onFocus)
    return () => {
      document.removeEventListener('pointerdown', onDown, true)
      document.removeEventListener('pointerup', onUp, true)
      document.removeEventListener('pointercancel', onUp, true)
      document.removeEventListener('focusin', onFocus)
    }
  }, [])
  return { isFolded, unfold: () => setFolded(false) }
}
