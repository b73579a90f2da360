import { useEffect, useEffectEvent } from 'react'

/** The deeds of keys. `mod+z` is ⌘Z on a Mac and Ctrl+Z elsewhere. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>

/** Listens to single keys outside texts and dialogs, while the component is shown. */
export function useKeys(keys: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || isTyping(event.target)) return
    const hasMod = event.metaKey || event.ctrlKey
    if (event.altKey || (hasMod && event.shiftKey)) return
    const deed = keys[`${hasMod ? 'mod+' : ''}${event.key.toLowerCase()}`]
    if (deed === undefined) return
    event.preventDefault()
    deed()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

const textFields = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]'

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true
  return target instanceof Element && target.closest(textFields) !== null
}
