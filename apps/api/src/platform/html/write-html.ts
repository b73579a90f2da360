import { voidTags } from './allowed-html.ts'
import type { FittedElement } from './fitted-html.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Writes the children of an element as HTML. Links open in a new tab without a referrer. */
export function writeHtml({ children }: FittedElement): string {
  return children
    .map((child) => (typeof child === 'string' ? escapeText(child) : writeElement(child)))
    .join('')
}

function writeElement(element: FittedElement): string {
  const { name } = element
  const attributes = Object.entries(withLinkTarget(element))
    .map(([key, value]) => ` ${key}="${value.replaceAll(/[&<>"]/g, (letter) => escapes[letter] ?? '')}"`)
    .join('')
  return voidTags.includes(name)
    ? `<${name}${attributes}>`
    : `<${name}${attributes}>${writeHtml(element)}</${name}>`
}

function withLinkTarget({ name, attributes }: FittedElement): Readonly<Record<string, string>> {
  const { href, ...others } = attributes
  if (name !== 'a' || href === undefined || href.startsWith('mailto:')) return attributes
  return { href, rel: 'noopener noreferrer', target: '_blank', ...others }
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>]/g, (letter) => escapes[letter] ?? '')
}
