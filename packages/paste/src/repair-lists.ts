import {
  createElement,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isNamed,
  isSpace,
  withChildren,
} from './html-tree.ts'
import { rewriteElements } from './rewrite-tree.ts'
import type { StyleReader } from './styles/declarations.ts'
import { type ListType, parseListType } from './word/list-marker.ts'

const listNames = ['ul', 'ol', 'menu', 'dir']

/**
 * Moves lists that are directly in a list into the item before them, and gives numbered lists the `type` that their
 * style says. With `joins`, joins lists that continue each other: some programs write one list for each item.
 */
export function repairLists(
  root: HtmlElement,
  styleOf: StyleReader,
  { joins }: { joins: boolean },
): HtmlElement {
  return rewriteElements(root, (element, children) => {
    const joined =
      joins && children.some((child) => isNamed(child, listNames)) ? joinLists(children) : children
    if (!listNames.includes(element.name)) return [withChildren(element, joined)]
    const { before, items } = nestLists(element.name, joined)
    const attributes = withType(element, styleOf)
    // A list without items of its own was only the indentation of another one.
    if (items.every(isSpace) && before.length > 0) return before
    return [...before, { ...withChildren(element, items), attributes }]
  })
}

/** A nested list before the first item has no item to be in: its items join those of the list, or come before it. */
function nestLists(name: string, children: readonly HtmlNode[]): { before: HtmlNode[]; items: HtmlNode[] } {
  const before: HtmlNode[] = []
  const items: HtmlNode[] = []
  const hasItems = children.some((child) => isNamed(child, ['li']))
  for (const child of children) {
    const last = items.findLastIndex((item) => !isSpace(item))
    const previous = items[last]
    if (!isNamed(child, listNames)) items.push(child)
    else if (isNamed(previous, ['li'])) items[last] = withNested(previous, child)
    else if (hasItems && child.name === name) for (const item of child.children) items.push(item)
    else if (items.every(isSpace)) before.push(child)
    else items.push(child)
  }
  return { before, items }
}

function withNested(item: HtmlElement, list: HtmlElement): HtmlElement {
  return { ...item, children: [...item.children, list] }
}

function joinLists(children: readonly HtmlNode[]): HtmlNode[] {
  const result: HtmlNode[] = []
  let last: { list: HtmlElement; items: HtmlNode[] } | null = null
  for (const child of children) {
    if (isNamed(child, listNames) && last && continues(last.list, child)) {
      for (const item of child.children) last.items.push(item)
    } else if (isNamed(child, listNames)) {
      const items = [...child.children]
      last = { list: { ...child, children: items }, items }
      result.push(last.list)
    } else {
      if (!isSpace(child)) last = null
      result.push(child)
    }
  }
  return result
}

/** Returns whether a list has the kind of the one before it, and its next number. */
function continues(previous: HtmlElement, list: HtmlElement): boolean {
  if (previous.name !== list.name || previous.attributes.type !== list.attributes.type) return false
  if (list.name === 'ul') return previous.attributes.class === list.attributes.class
  const count = previous.children.filter((child) => isNamed(child, ['li'])).length
  return list.attributes.start !== undefined && Number(list.attributes.start) === startOf(previous) + count
}

function startOf({ attributes }: HtmlElement): number {
  return Number(attributes.start ?? 1)
}

function withType(list: HtmlElement, styleOf: StyleReader): Readonly<Record<string, string>> {
  if (list.name !== 'ol' || list.attributes.type !== undefined) return list.attributes
  const [first] = list.children.filter(isElement)
  const styles = [first, list].map((element) => styleOf(element?.attributes.style).get('list-style-type'))
  const type: ListType | undefined = styles.map(parseListType).find((each) => each !== undefined)
  return type === undefined || type === '1' ? list.attributes : { ...list.attributes, type }
}

/** Returns an item or cell without the one paragraph that programs put around its content. */
export function withoutOnlyParagraph(element: HtmlElement): HtmlElement {
  let inner = element
  for (let only = onlyParagraph(inner); only !== undefined; only = onlyParagraph(inner)) {
    const { children } = only
    const { lang, dir } = { ...only.attributes, ...inner.attributes }
    const attributes = { ...inner.attributes, ...(lang && { lang }), ...(dir && { dir }) }
    const unwrapped = inner.children.flatMap((child) => (child === only ? children : [child]))
    inner = createElement(inner.name, attributes, unwrapped)
  }
  return inner
}

/** Returns the paragraph of an element that has, but for lists, nothing else. */
function onlyParagraph({ children }: HtmlElement): HtmlElement | undefined {
  const [first, ...others] = children.filter((child) => !isSpace(child))
  return isNamed(first, ['p', 'div']) && others.every((child) => isNamed(child, listNames))
    ? first
    : undefined
}
