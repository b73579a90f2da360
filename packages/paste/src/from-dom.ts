import type { HtmlElement, HtmlNode } from './html-tree.ts'

/** The part of a DOM node that this file reads, so that it also compiles without a browser's types. */
export type DomNode = {
  readonly nodeType: number
  readonly nodeName: string
  readonly nodeValue: string | null
  readonly childNodes: Iterable<DomNode>
  readonly attributes?: Iterable<{ readonly name: string; readonly value: string | null }>
}

const elementType = 1
const textType = 3
const commentType = 8

/** Converts a node of a parsed document, such as its body, and what it contains. */
export function fromDom(node: DomNode): HtmlElement {
  const { element, content } = convertElement(node)
  const rest = [{ node, content }]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    for (const child of next.node.childNodes) {
      if (child.nodeType === textType) next.content.push(child.nodeValue ?? '')
      else if (child.nodeType === commentType) next.content.push({ comment: child.nodeValue ?? '' })
      else if (child.nodeType === elementType) {
        const converted = convertElement(child)
        next.content.push(converted.element)
        rest.push({ node: child, content: converted.content })
      }
    }
  }
  return element
}

function convertElement({ nodeName, attributes = [] }: DomNode): {
  element: HtmlElement
  content: HtmlNode[]
} {
  const content: HtmlNode[] = []
  const named = Object.fromEntries([...attributes].map(({ name, value }) => [name, value ?? '']))
  return { element: { name: nodeName.toLowerCase(), attributes: named, children: content }, content }
}
