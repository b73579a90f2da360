import type { HtmlAttributes } from './schema.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Writes the words of a text. */
export function escapeText(text: string): string {
  return text.replaceAll(/[&<>]/g, (letter) => escapes[letter] ?? '')
}

/** Writes the start of an element. Links open in a new tab without a referrer. */
export function openTag(tag: string, html: HtmlAttributes): string {
  const attributes = Object.entries(tag === 'a' ? withLinkTarget(html) : html)
    .map(([name, value]) => ` ${name}="${value.replaceAll(/[&<>"]/g, (letter) => escapes[letter] ?? '')}"`)
    .join('')
  return `<${tag}${attributes}>`
}

function withLinkTarget(html: HtmlAttributes): HtmlAttributes {
  const { href, ...others } = html
  if (href === undefined || href.startsWith('mailto:')) return html
  return { href, rel: 'noopener noreferrer', target: '_blank', ...others }
}
