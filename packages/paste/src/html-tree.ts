/** An element of parsed HTML. Names are in lower case. */
export type HtmlElement = {
  name: string
  attributes: Readonly<Record<string, string>>
  children: readonly HtmlNode[]
}

export type HtmlComment = { comment: string }

/** A text is a string, with its entities decoded. */
export type HtmlNode = HtmlElement | HtmlComment | string

const blocks = new Set(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer
  form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup p pre search section summary table
  tbody td tfoot th thead tr ul`.split(/\s+/),
)

export function isElement(node: HtmlNode): node is HtmlElement {
  return typeof node !== 'string' && 'name' in node
}

/** Returns whether browsers start a new line for the element. */
export function isBlock(node: HtmlNode): node is HtmlElement {
  return isElement(node) && blocks.has(node.name)
}

export function isNamed(node: HtmlNode | undefined, names: readonly string[]): node is HtmlElement {
  return node !== undefined && isElement(node) && names.includes(node.name)
}

/** Returns whether the node is a text of white space, or a comment. */
export function isSpace(node: HtmlNode): boolean {
  return typeof node === 'string' ? node.trim() === '' : !isElement(node)
}

export function createElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly HtmlNode[],
): HtmlElement {
  return { name, attributes, children }
}

/** Returns the element with other children, and itself if they are the same. */
export function withChildren(element: HtmlElement, children: readonly HtmlNode[]): HtmlElement {
  const { length } = children
  let index = element.children.length === length ? 0 : -1
  while (index >= 0 && index < length && element.children[index] === children[index]) index++
  return index === length ? element : { name: element.name, attributes: element.attributes, children }
}

const noClasses: readonly string[] = []

export function classesOf({ attributes }: HtmlElement): readonly string[] {
  if (attributes.class === undefined) return noClasses
  return attributes.class.split(/\s+/).filter((name) => name !== '')
}

/** Returns the attributes without those named. */
export function omitAttributes(
  attributes: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  if (!names.some((name) => attributes[name] !== undefined)) return attributes
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)))
}

/** Iterates over the node and everything in it, in document order. */
export function* descendants(root: HtmlNode): Generator<HtmlNode> {
  const rest = [root]
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    yield node
    if (!isElement(node)) continue
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index]
      if (child !== undefined) rest.push(child)
    }
  }
}

export function textOf(node: HtmlNode): string {
  let text = ''
  for (const each of descendants(node)) if (typeof each === 'string') text += each
  return text
}
