/** An element of parsed HTML. Names are in lower case. */
export type HtmlElement = {
  name: string
  attributes: Readonly<Record<string, string>>
  children: readonly HtmlNode[]
}

export type HtmlComment = { comment: string }

/** A text is a string, with its entities decoded. */
export type HtmlNode = HtmlElement | HtmlComment | string

export function isElement(node: HtmlNode): node is HtmlElement {
  return typeof node !== 'string' && 'name' in node
}
