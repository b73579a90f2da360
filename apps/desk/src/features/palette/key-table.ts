/** A part of the help: what keys do in one place. */
export type KeyGroup = { name: string; rows: readonly { does: string; keys: string }[] }

/** Returns the keys of the desk, column by column. */
export function keyColumns(screens: readonly { name: string; keys: string }[]): KeyGroup[][] {
  return [
    [
      {
        name: 'Anywhere',
        rows: [
          { does: 'Find or do', keys: 'mod+k' },
          { does: 'Search the archive', keys: '/' },
          ...screens.map(({ name, keys }) => ({ does: name, keys })),
          { does: 'This help', keys: '?' },
          { does: 'Close, or back to the list', keys: 'escape' },
        ],
      },
    ],
    [
      {
        name: 'In an edition',
        rows: [
          { does: 'Next, previous memo', keys: 'j k' },
          { does: 'Write in it', keys: 'enter' },
          { does: 'New memo', keys: 'n' },
          { does: 'Move the memo', keys: 'alt+arrowup+arrowdown' },
          { does: 'Mark as ready', keys: 'r' },
          { does: 'Next preview', keys: 'p' },
          { does: 'Versions', keys: 'v' },
          { does: 'Schedule or publish…', keys: 'mod+enter' },
        ],
      },
      {
        name: 'In comments',
        rows: [
          { does: 'Choose', keys: 'x' },
          { does: 'Hide, keep', keys: 'h e' },
        ],
      },
    ],
    [
      {
        name: 'In a text',
        rows: [
          { does: 'Bold', keys: 'mod+b' },
          { does: 'Italic', keys: 'mod+i' },
          { does: 'Link, with words selected', keys: 'mod+k' },
          { does: 'List', keys: 'mod+shift+8' },
          { does: 'Quote', keys: 'mod+shift+9' },
          { does: 'To the toolbar', keys: 'alt+f10' },
          { does: 'Paste as plain text', keys: 'mod+shift+v' },
          { does: 'Undo', keys: 'mod+z' },
          { does: 'Save now', keys: 'mod+s' },
        ],
      },
      {
        name: 'On Today',
        rows: [
          { does: 'Open a slot', keys: '1 2 3' },
          { does: 'Day before, day after', keys: 'arrowleft arrowright' },
        ],
      },
    ],
  ]
}
