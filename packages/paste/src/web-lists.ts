import { buildLists, type FlatItem } from './build-lists.ts'
import {
  classesOf,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isNamed,
  isSpace,
  omitAttributes,
  withChildren,
} from './html-tree.ts'
import { rewriteElements } from './rewrite-tree.ts'
import type { StyleReader } from './styles/declarations.ts'
import { type Marker, parseListType } from './word/list-marker.ts'

/**
 * Joins the lists of Word for the web, which writes one list for each item and its level in `data-aria-level`, into
 * nested lists.
 */
export function convertWebLists(root: HtmlElement, styleOf: StyleReader): HtmlElement {
  return rewriteElements(root, (element, children) => {
    if (classesOf(element).includes('ListContainerWrapper')) return children
    const isFlat = children.some((child) => isElement(child) && isFlatList(child))
    return [withChildren(element, isFlat ? joinLists(children, styleOf) : children)]
  })
}

function isFlatList(element: HtmlElement): boolean {
  const items = element.children.filter((child) => !isSpace(child))
  const [first] = items
  return (
    isNamed(element, ['ul', 'ol']) &&
    items.every((item) => isNamed(item, ['li'])) &&
    isNamed(first, ['li']) &&
    levelOf(first) !== undefined
  )
}

function levelOf({ attributes }: HtmlElement): number | undefined {
  const level = Number(attributes['data-aria-level'])
  return Number.isInteger(level) && level > 0 ? level : undefined
}

function joinLists(children: readonly HtmlNode[], styleOf: StyleReader): HtmlNode[] {
  const result: HtmlNode[] = []
  let run: FlatItem[] = []
  const endRun = () => {
    for (const list of buildLists(run)) result.push(list)
    run = []
  }
  for (const child of children) {
    if (isElement(child) && isFlatList(child)) for (const item of toItems(child, styleOf)) run.push(item)
    else if (run.length > 0 && isSpace(child)) continue
    else {
      endRun()
      result.push(child)
    }
  }
  endRun()
  return result
}

function toItems(list: HtmlElement, styleOf: StyleReader): FlatItem[] {
  const items = list.children.filter((child) => isNamed(child, ['li']))
  return items.map((item, index) => ({
    level: levelOf(item) ?? 1,
    marker: markerOf(list, item, index, styleOf),
    attributes: omitAttributes(item.attributes, ['data-aria-level', 'value']),
    children: item.children,
  }))
}

function markerOf(list: HtmlElement, item: HtmlElement, index: number, styleOf: StyleReader): Marker {
  if (list.name === 'ul') return { list: 'ul' }
  const style = styleOf(item.attributes.style).get('list-style-type')
  const type = parseListType(style ?? styleOf(list.attributes.style).get('list-style-type')) ?? '1'
  const start = Number(list.attributes.start ?? item.attributes['data-aria-posinset'] ?? 1)
  return { list: 'ol', readings: [{ type, number: (Number.isInteger(start) ? start : 1) + index }] }
}
