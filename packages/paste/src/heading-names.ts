import type { HtmlElement } from './html-tree.ts'

const headingOfClass = new Map([
  ['MsoTitle', 'h1'],
  ['MsoHeading7', 'h6'],
  ['MsoHeading8', 'h6'],
  ['MsoHeading9', 'h6'],
])

/** Returns the heading that a program shows a paragraph as. */
export function headingNameOf({ name, attributes }: HtmlElement): string | undefined {
  if (name !== 'p' && name !== 'div') return undefined
  const level = Number(attributes['aria-level'] ?? 2)
  if (attributes.role === 'heading' && Number.isInteger(level) && level > 0) return `h${Math.min(level, 6)}`
  return headingOfClass.get(attributes.class?.trim() ?? '')
}
