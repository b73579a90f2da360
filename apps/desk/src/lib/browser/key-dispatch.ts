import { currentTime } from './ambient.ts'
import { keyName } from './key-names.ts'
import { hasLetterKeys } from './letter-keys.ts'

/** The deeds of keys, by name: `j`, `mod+z`, `alt+arrowup`, or `g t` for one key after the other. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>

/** A screen's keys come before those of the frame; a dialog's are the only ones while it is open. */
export type Place = 'screen' | 'frame' | 'dialog'

type Layer = { place: Place; keys: () => Keys }

const layers: Layer[] = []
const sequenceMs = 1_500
let begun: { key: string; at: number } | null = null

/** Adds keys. Returns how to remove them. */
export function addKeys(layer: Layer): () => void {
  if (layers.length === 0) document.addEventListener('keydown', onKeyDown)
  layers.unshift(layer)
  return () => {
    layers.splice(layers.indexOf(layer), 1)
    if (layers.length === 0) document.removeEventListener('keydown', onKeyDown)
  }
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented) return
  const name = keyName(event)
  if (name === null || isModifier(name)) return
  const first = takeBegun()
  if (!isAllowed(name, event.target) || (event.repeat && !repeats.test(name))) return
  const deed = deedOf(first === null ? name : `${first} ${name}`)
  if (deed !== undefined) {
    event.preventDefault()
    deed()
  } else if (first === null && beginsSequence(name)) {
    event.preventDefault()
    begun = { key: name, at: currentTime() }
  }
}

function takeBegun(): string | null {
  const first = begun !== null && currentTime() - begun.at < sequenceMs ? begun.key : null
  begun = null
  return first
}

function deedOf(name: string): (() => void) | undefined {
  return current().reduce<(() => void) | undefined>((found, { keys }) => found ?? keys()[name], undefined)
}

function beginsSequence(name: string): boolean {
  return current().some(({ keys }) => Object.keys(keys()).some((each) => each.startsWith(`${name} `)))
}

/** The newest layers of the place where the person is, in the order of precedence. */
function current(): Layer[] {
  const of = (place: Place) => layers.filter((layer) => layer.place === place)
  return isDialogOpen() ? of('dialog') : [...of('screen'), ...of('frame')]
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}

const modifiers = new Set([
  'shift',
  'alt',
  'alt+alt',
  'alt+shift+alt',
  'control',
  'meta',
  'altgraph',
  'capslock',
])

function isModifier(name: string): boolean {
  return modifiers.has(name) || /^(?:mod|alt)\+(?:.*\+)?(?:control|meta|shift|alt)$/.test(name)
}

// Held down, these go on; others would do their deed many times.
const repeats = /(?:^|\+)(?:[jk]|arrow\w+)$/

// Commands in the middle of a text. Undo, arrows and letters belong to the text there.
const inTexts = new Set(['mod+k', 'mod+s', 'mod+enter', 'alt+arrowup', 'alt+arrowdown', 'escape'])
const textFields = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]'
const pressed = 'button, a[href]:not([aria-current]), summary, [role="button"], input'

function isAllowed(name: string, target: EventTarget | null): boolean {
  const element = target instanceof Element ? target : null
  if (element !== null && element.closest(textFields) !== null)
    return inTexts.has(name) && !(name.startsWith('alt+') && element.matches('select'))
  // Enter presses what has the focus.
  if (name === 'enter' && element?.matches(pressed)) return false
  if (name.startsWith('arrow') && element?.matches('input, [role="tab"], [role="option"], [role="menuitem"]'))
    return false
  return hasLetterKeys() || name.includes('+') || [...name].length > 1
}
