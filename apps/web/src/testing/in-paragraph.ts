import type { MatcherFunction } from '@testing-library/react'

/** Finds a paragraph by its whole text, whose parts may be elements. */
export function inParagraph(text: RegExp): MatcherFunction {
  return (_content, element) => element?.localName === 'p' && text.test(element.textContent)
}
