// Apple's keyboards have ⌘ for commands.
const isMac = /Mac|iP/.test(navigator.platform)

/**
 * Returns the name of a key with those held: `j`, `mod+shift+8`, `alt+arrowup`. `mod` is ⌘ on a Mac and Ctrl elsewhere.
 * Null for a key of an input method, and for one that writes a character with AltGr.
 */
export function keyName(event: KeyboardEvent): string | null {
  const { key, altKey, shiftKey, isComposing, keyCode } = event
  // Browsers give the keys of an input method the code 229.
  if (isComposing || keyCode === 229) return null
  const hasMod = isMac ? event.metaKey : event.ctrlKey
  // Windows reports AltGr, which writes characters, as Ctrl and Alt.
  if (isMac ? event.ctrlKey : event.metaKey || (hasMod && altKey)) return null
  const isHeld = hasMod || altKey
  return `${hasMod ? 'mod+' : ''}${altKey ? 'alt+' : ''}${isHeld && shiftKey ? 'shift+' : ''}${key.toLowerCase()}`
}

const shown: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  alt: 'Alt',
  shift: isMac ? '⇧' : 'Shift',
  enter: isMac ? '↵' : 'Enter',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
}

/** Returns the keys of a name as they are printed on a keyboard: `mod+k` is ⌘ and K, `g t` is G and T. */
export function printedKeys(name: string): string[] {
  return name
    .split(/[+ ]/)
    .map(
      (each) =>
        shown[each] ??
        (each.length === 1 ? each.toUpperCase() : each.replace(/^./, (letter) => letter.toUpperCase())),
    )
}
