import type { PdfLanguage, PdfNode } from '#integrations/pdf/pdf-document.ts'
import { directionOf } from '../edition-content.ts'
import { type HtmlElement, textOf } from './html-elements.ts'
import { languageOf } from './pdf-language.ts'

export const blockNames = new Set(['p', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote', 'hr', 'table'])
const inlineTags = {
  strong: 'strong',
  b: 'strong',
  em: 'em',
  i: 'em',
  u: 'u',
  ins: 'ins',
  s: 's',
  sup: 'sup',
  sub: 'sub',
  code: 'code',
} as const
// Typst limits the depth of its calls. What is deeper is shown as text.
export const maxLevels = 12

export const inherited: PdfLanguage = { lang: '', region: '', dir: '' }

/** Converts text and inline elements as they appear in one paragraph. */
export function lineOf(nodes: HtmlElement['children'], level: number): PdfNode[] {
  let isAfterSpace = true
  return nodes.flatMap((node) => inline(node, level))

  function inline(node: HtmlElement | string, level: number): PdfNode[] {
    if (typeof node === 'string') {
      const text = isAfterSpace ? collapse(node).trimStart() : collapse(node)
      if (text !== '') isAfterSpace = text.endsWith(' ')
      return text === '' ? [] : [text]
    }
    if (node.name === 'br') {
      isAfterSpace = true
      return [{ tag: 'br', ...inherited, children: [] }]
    }
    const language = languageAttributes(node)
    if (level >= maxLevels) return inline(textOf(node), level)
    const children = node.children.flatMap((child) => inline(child, level + 1))
    if (children.length === 0) return []
    if (blockNames.has(node.name)) {
      isAfterSpace = true
      return [...children, { tag: 'br', ...inherited, children: [] }]
    }
    const { href } = node.attributes
    if (node.name === 'a' && href !== undefined) return [{ tag: 'a', ...language, url: href, children }]
    if (node.name === 'rt') return [' (', ...children, ')']
    if (node.name === 'rp') return []
    return [{ tag: inlineTagOf(node.name), ...language, children }]
  }
}

function inlineTagOf(name: string): (typeof inlineTags)[keyof typeof inlineTags] | 'span' {
  return isInlineTag(name) ? inlineTags[name] : 'span'
}

function isInlineTag(name: string): name is keyof typeof inlineTags {
  return name in inlineTags
}

/** Returns the language and direction that an element states. */
export function languageAttributes(element: HtmlElement): PdfLanguage {
  const { lang = '', dir = element.name === 'bdi' ? 'auto' : '' } = element.attributes
  const direction = dir.toLowerCase()
  return {
    ...languageOf(lang),
    dir:
      direction === 'auto'
        ? directionOf(textOf(element))
        : direction === 'rtl' || direction === 'ltr'
          ? direction
          : '',
  }
}

/** Collapses white space as browsers do, which keep no-break spaces. */
export function collapse(text: string): string {
  return text.replaceAll(/[ \t\n\r\f]+/g, ' ')
}
