import { type Command, useCommands } from '#lib/browser/commands.ts'
import { useKeys } from '#lib/browser/use-keys.ts'
import type { MemoRow } from '../state/memo-rows.ts'

type Deeds = {
  add: (() => void) | null
  step: (by: -1 | 1) => void
  move: ((by: -1 | 1) => void) | null
  toggleReady: (() => void) | null
  showOrders: () => void
  save: () => void
}

/** Binds the keys of an edition, and offers its commands. Null is what the person can't do now. */
export function useEditionKeys(
  row: MemoRow | undefined,
  { add, step, move, toggleReady, showOrders, save }: Deeds,
): void {
  const name = row === undefined || row.title === '' ? 'the memo' : `“${row.title}”`
  const isReady = row?.state === 'Ready'
  useCommands([
    ...ifPossible(add, { name: 'New memo', keys: 'n' }),
    { name: 'Next memo', keys: 'j', run: () => step(1) },
    { name: 'Previous memo', keys: 'k', run: () => step(-1) },
    ...(row === undefined ? [] : [{ name: `Write in ${name}`, keys: 'enter', run: focusText }]),
    ...ifPossible(move && (() => move(-1)), { name: `Move ${name} up`, keys: 'alt+arrowup' }),
    ...ifPossible(move && (() => move(1)), { name: `Move ${name} down`, keys: 'alt+arrowdown' }),
    ...ifPossible(toggleReady, { name: isReady ? 'Not ready' : 'Mark as ready', hint: name, keys: 'r' }),
    { name: 'Earlier orders…', run: showOrders },
    { name: 'Save now', keys: 'mod+s', run: save },
  ])
  useKeys({ escape: focusList })
}

function ifPossible(run: (() => void) | null, command: Omit<Command, 'run'>): Command[] {
  return run === null ? [] : [{ ...command, run }]
}

function focusText(): void {
  const text = document.querySelector(
    '[data-field="memo_content"] textarea, [data-field="memo_content"] [contenteditable]',
  )
  if (text instanceof HTMLElement) text.focus()
}

function focusList(): void {
  const row = document.querySelector('.edition-open .edition-title')
  if (row instanceof HTMLElement) row.focus()
}
