import type { PdfElement, PdfNode, PdfNumberedItem } from '#integrations/pdf/pdf-document.ts'
import { formatOrdinal } from '#platform/html/format-ordinal.ts'
import { directionOf } from '../edition-content.ts'
import { type HtmlElement, parseHtml, textOf } from './html-elements.ts'
import { blockNames, collapse, inherited, languageAttributes, lineOf, maxLevels } from './to-pdf-line.ts'
import { toPdfTable } from './to-pdf-table.ts'

/** Converts clean HTML to what a PDF shows of it. */
export function toPdfElements(html: string): PdfElement {
  const root = parseHtml(html)
  return { ...createConverter().container(root, 0), dir: directionOf(textOf(root)) }
}

/** Converts the elements of one memo, in order: headings and spaces depend on what is before them. */
function createConverter() {
  let headingLevel = 0

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

  return { container }
}

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
