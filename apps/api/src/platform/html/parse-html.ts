import type { HtmlNode } from '@tidings/paste/html-tree'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { rawTextTags } from './allowed-html.ts'

/** An element while its children are added. */
type OpenElement = { name: string; attributes: Readonly<Record<string, string>>; children: HtmlNode[] }

/**
 * Parses HTML as browsers do. Control characters become spaces, because they may stand between words; NUL and unpaired
 * surrogates, which Postgres can't store, go.
 */
export function parseHtml(html: string): OpenElement {
  let source = withoutControlCharacters(html)
  for (const tag of rawTextTags) source = escapeUnclosed(source, tag)
  const root: OpenElement = { name: 'div', attributes: {}, children: [] }
  const waiting: { nodes: DefaultTreeAdapterTypes.ChildNode[]; parent: OpenElement }[] = [
    { nodes: parseFragment(source).childNodes, parent: root },
  ]
  for (const { nodes, parent } of waiting) {
    for (const node of nodes) {
      if ('tagName' in node) {
        const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]))
        const element: OpenElement = { name: node.tagName, attributes, children: [] }
        parent.children.push(element)
        waiting.push({ nodes: node.childNodes, parent: element })
      } else if ('value' in node) {
        parent.children.push(withoutControlCharacters(node.value))
      } else if ('data' in node) {
        parent.children.push({ comment: node.data })
      }
    }
  }
  return root
}

// Without an end tag, such an element takes the rest of the text. Its author meant the words, as in 'the <title> of it'.
function escapeUnclosed(source: string, tag: string): string {
  const opened = new RegExp(`<(?=${tag}[\\s/>])`, 'gi')
  if (!opened.test(source)) return source
  const closed = source.toLowerCase().lastIndexOf(`</${tag}`)
  return source.slice(0, Math.max(closed, 0)) + source.slice(Math.max(closed, 0)).replaceAll(opened, '&lt;')
}

function withoutControlCharacters(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '')
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, ' ')
}
