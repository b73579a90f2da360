import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html as names,
  parse,
  parseFragment,
  serialize,
} from 'parse5'
import { createElement, type HtmlElement, type HtmlNode, isElement } from '../html-tree.ts'

type Parent = DefaultTreeAdapterTypes.ParentNode
type Child = DefaultTreeAdapterTypes.ChildNode

/** Parses HTML as the content of an element. */
export function parseHtml(html: string): HtmlElement {
  return toTree(parseFragment(html))
}

/** Parses HTML as a document, as a browser does with a clipboard. */
export function parseDocument(html: string): HtmlElement {
  return toTree(parse(html))
}

/** Writes the contents of an element. */
export function toHtml(root: HtmlElement): string {
  const fragment = defaultTreeAdapter.createDocumentFragment()
  const rest: { from: HtmlElement; to: Parent }[] = [{ from: root, to: fragment }]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    for (const node of next.from.children) {
      if (typeof node === 'string') defaultTreeAdapter.insertText(next.to, node)
      else if (isElement(node)) {
        const attributes = Object.entries(node.attributes).map(([name, value]) => ({ name, value }))
        const element = defaultTreeAdapter.createElement(node.name, names.NS.HTML, attributes)
        defaultTreeAdapter.appendChild(next.to, element)
        rest.push({ from: node, to: element })
      } else {
        defaultTreeAdapter.appendChild(next.to, defaultTreeAdapter.createCommentNode(node.comment))
      }
    }
  }
  return serialize(fragment)
}

function toTree(document: Parent): HtmlElement {
  const children: HtmlNode[] = []
  const rest: { from: Parent; to: HtmlNode[] }[] = [{ from: document, to: children }]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    for (const child of next.from.childNodes) {
      const { node, content } = toNode(child)
      if (node !== null) next.to.push(node)
      if ('childNodes' in child) rest.push({ from: child, to: content })
    }
  }
  return createElement('body', {}, children)
}

function toNode(child: Child): { node: HtmlNode | null; content: HtmlNode[] } {
  const content: HtmlNode[] = []
  if ('value' in child) return { node: child.value, content }
  if ('data' in child) return { node: { comment: child.data }, content }
  if (!('tagName' in child)) return { node: null, content }
  const attributes = Object.fromEntries(child.attrs.map(({ name, value }) => [name, value]))
  return { node: createElement(child.tagName, attributes, content), content }
}
