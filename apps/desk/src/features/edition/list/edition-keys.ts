import { useEffect, useEffectEvent } from 'react'

/** Returns whether a key goes into a text or a dialog, where single letters are no commands. */
export function isTyping({ target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || document.querySelector('dialog[open]') !== null) return true
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  )
}

type Commands = {
  add: () => void
  step: (by: -1 | 1) => void
  move: (by: -1 | 1) => void
  toggleReady: () => void
  save: () => void
}

/** Binds the keys of an edition. */
export function useEditionKeys(commands: Commands): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (run(event, commands)) event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

/** Runs the command of a key. Returns whether there is one. */
function run(event: KeyboardEvent, { add, step, move, toggleReady, save }: Commands): boolean {
  const { key, altKey, ctrlKey, metaKey } = event
  if (document.querySelector('dialog[open]') !== null) return false
  if (altKey && key === 'ArrowUp') return done(() => move(-1))
  if (altKey && key === 'ArrowDown') return done(() => move(1))
  if ((ctrlKey || metaKey) && key.toLowerCase() === 's') return done(save)
  if (altKey || isTyping(event)) return false
  switch (key.toLowerCase()) {
    case 'n':
      return done(add)
    case 'j':
      return done(() => step(1))
    case 'k':
      return done(() => step(-1))
    case 'r':
      return done(toggleReady)
    case 'enter':
      return event.target === document.body && done(focusText)
    default:
      return false
  }
}

function focusText(): void {
  const text = document.querySelector(
    '[data-field="memo_content"] textarea, [data-field="memo_content"] [contenteditable]',
  )
  if (text instanceof HTMLElement) text.focus()
}

function done(work: () => void): true {
  work()
  return true
}
