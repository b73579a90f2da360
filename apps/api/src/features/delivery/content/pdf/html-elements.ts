import { cleanTree } from '#platform/html/clean-html.ts'
import type { FittedElement } from '#platform/html/fitted-html.ts'

export type HtmlElement = FittedElement

/** Returns the elements of a memo's HTML. */
export function parseHtml(html: string): HtmlElement {
  return cleanTree(html)
}

/** Returns the words of an element. */
export function textOf(node: HtmlElement | string): string {
  return typeof node === 'string' ? node : node.children.map(textOf).join('')
}
