import { headingTags, inlineTags, listTags } from './allowed-html.ts'
import { type FittedElement, lineStart } from './fitted-html.ts'

const neverEmpty = [...headingTags, ...listTags, 'p', 'blockquote', 'table']

/** Removes blocks without words. Lines that only such a block or a line start keeps apart get a line break. */
export function pruneHtml(element: FittedElement): FittedElement {
  const children: FittedElement['children'] = []
  let isAfterWords = false
  let isNewLine = false
  for (const child of element.children) {
    if (typeof child === 'string' && child.trim() === '') {
      children.push(child)
      continue
    }
    const kept = typeof child === 'string' ? child : pruneHtml(child)
    if (typeof kept !== 'string' && (kept.name === lineStart || isEmpty(kept))) {
      isNewLine = true
      continue
    }
    const isWords = typeof kept === 'string' || inlineTags.includes(kept.name)
    if (isWords && isAfterWords && isNewLine) children.push({ name: 'br', attributes: {}, children: [] })
    children.push(kept)
    isAfterWords = isWords
    isNewLine = false
  }
  return { ...element, children }
}

function isEmpty(element: FittedElement): boolean {
  return neverEmpty.includes(element.name) && !hasContent(element)
}

function hasContent({ name, children }: FittedElement): boolean {
  if (name === 'hr') return true
  return children.some((child) => (typeof child === 'string' ? child.trim() !== '' : hasContent(child)))
}
