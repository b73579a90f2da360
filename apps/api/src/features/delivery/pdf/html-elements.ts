import { Parser } from 'htmlparser2'

/** An element of clean HTML. */
export type HtmlElement = {
  name: string
  attributes: Readonly<Record<string, string>>
  children: (HtmlElement | string)[]
}

/** Parses clean HTML, in which every element is closed. */
export function parseHtml(html: string): HtmlElement {
  const root: HtmlElement = { name: 'div', attributes: {}, children: [] }
  const open = [root]
  const parser = new Parser({
    onopentag(name, attributes) {
      const element: HtmlElement = { name, attributes, children: [] }
      open.at(-1)?.children.push(element)
      open.push(element)
    },
    ontext(text) {
      open.at(-1)?.children.push(text)
    },
    onclosetag() {
      if (open.length > 1) open.pop()
    },
  })
  parser.end(html)
  return root
}

/** Returns the words of an element. */
export function textOf(node: HtmlElement | string): string {
  return typeof node === 'string' ? node : node.children.map(textOf).join('')
}
