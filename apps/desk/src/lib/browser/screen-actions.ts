import type { Command } from './commands.ts'

const pressable = [
  'main button',
  'main a.button',
  'main .actions a[href]',
  'main a[download]',
  '.countdown button',
].join()

/** Returns what the buttons of the screen do, but for those whose keys are commands already. */
export function screenActions(): Command[] {
  const actions: Command[] = []
  for (const element of document.querySelectorAll<HTMLElement>(pressable)) {
    const action = actionOf(element)
    const isKnown = actions.some(({ name, hint }) => name === action?.name && hint === action.hint)
    if (action !== null && !isKnown) actions.push(action)
  }
  return actions
}

function actionOf(element: HTMLElement): Command | null {
  if (element.matches(':disabled, [aria-keyshortcuts], dialog *, [role="toolbar"] *') || !isShown(element))
    return null
  const name = (element.getAttribute('aria-label') ?? element.textContent).replace(/\s+/g, ' ').trim()
  if (name === '') return null
  const place = placeOf(element)
  // A person presses the buttons that send; a search only goes there.
  const run = element.hasAttribute('data-sends')
    ? () => {
        element.scrollIntoView({ block: 'center' })
        element.focus()
      }
    : () => element.click()
  return place === '' ? { name, run } : { name, hint: place, run }
}

function isShown(element: HTMLElement): boolean {
  const folded = element.closest('details:not([open])')
  return (folded ?? element).checkVisibility()
}

/** Returns the name of the part of the screen around an element. */
function placeOf(element: HTMLElement): string {
  const part = element.parentElement?.closest('section, aside, article, fieldset, nav')
  const named = part?.getAttribute('aria-labelledby')
  const heading = named === null || named === undefined ? null : document.getElementById(named)
  return (part?.getAttribute('aria-label') ?? heading?.textContent ?? '').trim()
}
