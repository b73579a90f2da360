import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addKeys, type Place } from './key-dispatch.ts'
import { printedKeys } from './key-names.ts'
import { setLetterKeys } from './letter-keys.ts'

let done: string[] = []
let removals: (() => void)[] = []

beforeEach(() => {
  document.body.innerHTML = '<input id="text"><button id="button">Do</button>'
  done = []
})

afterEach(() => {
  for (const remove of removals) remove()
  removals = []
  setLetterKeys('on')
})

function bind(names: string[], place: Place = 'screen', mark = ''): void {
  const keys = Object.fromEntries(names.map((name) => [name, () => done.push(`${mark}${name}`)]))
  removals.push(addKeys({ place, keys: () => keys }))
}

function press(key: string, { on = 'body', ...init }: KeyboardEventInit & { on?: string } = {}): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init })
  return document.querySelector(on)?.dispatchEvent(event) === false
}

describe('keys', () => {
  it('are taken only with a deed', () => {
    bind(['j', 'mod+z', 'alt+arrowup', '?'])
    expect(press('j')).toBe(true)
    expect(press('q')).toBe(false)
    press('z', { ctrlKey: true })
    press('ArrowUp', { altKey: true })
    press('?', { shiftKey: true })
    expect(done).toEqual(['j', 'mod+z', 'alt+arrowup', '?'])
  })

  it('leave a text alone, but for those that work in texts', () => {
    bind(['j', 'mod+z', 'mod+s', 'mod+enter'])
    for (const key of ['j', 'z', 's', 'Enter']) press(key, { on: '#text', ctrlKey: key !== 'j' })
    expect(done).toEqual(['mod+s', 'mod+enter'])
  })

  it('leave input methods and AltGr alone', () => {
    bind(['j', 'alt+j', 'mod+alt+j'])
    press('j', { isComposing: true })
    press('j', { keyCode: 229 })
    press('j', { ctrlKey: true, altKey: true })
    expect(done).toEqual([])
  })

  it('follow one another', () => {
    bind(['g t', 'n', 't'])
    bind(['g n'], 'frame')
    for (const key of ['g', 't', 'g', 'Shift', 'n', 't', 'g', 'x', 'n']) press(key)
    expect(done).toEqual(['g t', 'g n', 't', 'n'])
  })

  it('are those of the dialog while one is open', () => {
    bind(['j', 'mod+enter'])
    bind(['mod+enter'], 'dialog', 'in the dialog: ')
    press('Enter', { ctrlKey: true })
    document.body.insertAdjacentHTML('beforeend', '<dialog open><input id="field"></dialog>')
    press('Enter', { ctrlKey: true, on: '#field' })
    press('j')
    expect(done).toEqual(['mod+enter', 'in the dialog: mod+enter'])
  })

  it('of a screen come before those of the frame, and newer before older', () => {
    bind(['/'], 'screen', 'old ')
    bind(['/'], 'screen', 'new ')
    bind(['/'], 'frame', 'frame ')
    press('/')
    expect(done).toEqual(['new /'])
  })

  it('of single characters can be turned off', () => {
    bind(['j', 'g t', '/', '1', 'arrowleft', 'mod+k', 'escape'])
    setLetterKeys('off')
    for (const key of ['j', 'g', 't', '/', '1', 'ArrowLeft', 'Escape']) press(key)
    press('k', { ctrlKey: true })
    expect(done).toEqual(['arrowleft', 'escape', 'mod+k'])
  })

  it('press what has the focus, and do nothing twice when held down', () => {
    bind(['enter', 'n', 'j'])
    press('Enter', { on: '#button' })
    press('n', { repeat: true })
    press('j', { repeat: true })
    press('Enter')
    expect(done).toEqual(['j', 'enter'])
  })

  it('are printed as on a keyboard', () => {
    expect(printedKeys('mod+shift+8')).toEqual(['Ctrl', 'Shift', '8'])
    expect(printedKeys('g t')).toEqual(['G', 'T'])
    expect(printedKeys('alt+f10')).toEqual(['Alt', 'F10'])
  })
})
