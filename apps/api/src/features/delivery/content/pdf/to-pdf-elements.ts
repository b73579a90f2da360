import type { PdfElement, PdfLanguage, PdfNode, PdfNumberedItem } from '#integrations/pdf/pdf-document.ts'
import { formatOrdinal } from '#platform/html/format-ordinal.ts'
import { directionOf } from '../edition-content.ts'
import { type HtmlElement, parseHtml, textOf } from './html-elements.ts'
import { languageOf } from './pdf-language.ts'
import { toPdfTable } from './to-pdf-table.ts'

const blockNames = new Set(['p', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote', 'hr', 'table'])
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
// Typst limits the depth of its calls. Deeper elements are shown as text.
const maxLevels = 12

/** Converts clean HTML to elements of a PDF. */
export function toPdfElements(html: string): PdfElement {
  const root = parseHtml(html)
  return { ...createConverter().container(root, 0), dir: directionOf(textOf(root)) }
}

/** Converts the elements of one memo, in order: headings and spaces depend on what is before them. */
function createConverter() {
  let headingLevel = 0
  let isAfterSpace = true

  /** Converts an element whose texts become paragraphs. */
  function container(element: HtmlElement, level: number): PdfElement {
    return { tag: 'div', ...languageAttributes(element), children: blocks(element.children, level) }
  }

  function blocks(nodes: HtmlElement['children'], level: number): PdfElement[] {
    const parts: PdfElement[] = []
    let line: HtmlElement['children'] = []
    const endLine = () => {
      const children = lineOf(line, level)
      if (children.length > 0) parts.push({ tag: 'p', ...inherited, children })
      line = []
    }
    for (const node of nodes) {
      if (typeof node === 'string' || !blockNames.has(node.name)) {
        line.push(node)
        continue
      }
      endLine()
      parts.push(block(node, level))
    }
    endLine()
    return parts
  }

  function block(element: HtmlElement, level: number): PdfElement {
    const language = languageAttributes(element)
    if (level >= maxLevels) return { tag: 'p', ...language, children: [collapse(textOf(element)).trim()] }
    switch (element.name) {
      case 'h2':
      case 'h3': {
        // PDF/UA allows no level to be skipped.
        headingLevel = Math.min(element.name === 'h2' ? 1 : 2, headingLevel + 1)
        const children = lineOf(element.children, level)
        return { tag: 'heading', ...language, level: headingLevel, children }
      }
      case 'ul':
        return { tag: 'ul', ...language, children: items(element, level) }
      case 'ol':
        return { tag: 'ol', ...language, children: numberedItems(element, level) }
      case 'li':
        return { tag: 'ul', ...language, children: [item(element, level)] }
      case 'blockquote':
        return { tag: 'blockquote', ...language, children: blocks(element.children, level + 1) }
      case 'hr':
        return { tag: 'hr', ...language, children: [] }
      case 'table':
        return toPdfTable(element, { languageAttributes, item: (cell) => mixed(cell, level + 1) })
      default:
        return { tag: 'p', ...language, children: lineOf(element.children, level) }
    }
  }

  function items(list: HtmlElement, level: number): PdfElement[] {
    return itemsOf(list).map((element) => item(element, level))
  }

  /** Numbers the items as browsers do: from `start`, and on from each `value`. */
  function numberedItems(list: HtmlElement, level: number): PdfNumberedItem[] {
    const { start, type } = list.attributes
    let number = (integerOf(start) ?? 1) - 1
    return itemsOf(list).map((element) => {
      const { value } = element.attributes
      number = integerOf(value) ?? number + 1
      return { ...item(element, level), tag: 'numbered-item', mark: formatOrdinal(number, type) }
    })
  }

  function item(element: HtmlElement, level: number): PdfElement & { tag: 'li' } {
    const content = element.name === 'li' ? element : { ...element, children: [element] }
    return { tag: 'li', ...languageAttributes(content), children: mixed(content, level + 1) }
  }

  /** Converts a list item or a table cell, whose first text is a line without a paragraph. */
  function mixed({ children }: HtmlElement, level: number): PdfNode[] {
    const [first, ...others] = blocks(children, level)
    if (first === undefined) return []
    return [first.tag === 'p' ? { ...first, tag: 'line' } : first, ...others]
  }

  /** Converts text and inline elements as they appear in one paragraph. */
  function lineOf(nodes: HtmlElement['children'], level: number): PdfNode[] {
    isAfterSpace = true
    return nodes.flatMap((node) => inline(node, level))
  }

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

  return { container }
}

const inherited: PdfLanguage = { lang: '', region: '', dir: '' }

/** Returns the items of a list. Text and elements beside them are items too. */
function itemsOf({ children }: HtmlElement): HtmlElement[] {
  return children.flatMap((child) => {
    if (typeof child !== 'string') return [child]
    return child.trim() === '' ? [] : [{ name: 'li', attributes: {}, children: [child] }]
  })
}

function integerOf(text = ''): number | undefined {
  return /^-?\d{1,9}$/.test(text) ? Number(text) : undefined
}

function inlineTagOf(name: string): (typeof inlineTags)[keyof typeof inlineTags] | 'span' {
  return isInlineTag(name) ? inlineTags[name] : 'span'
}

function isInlineTag(name: string): name is keyof typeof inlineTags {
  return name in inlineTags
}

function languageAttributes(element: HtmlElement): PdfLanguage {
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
function collapse(text: string): string {
  return text.replaceAll(/[ \t\n\r\f]+/g, ' ')
}
