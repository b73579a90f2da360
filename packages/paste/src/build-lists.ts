import { createElement, type HtmlElement, type HtmlNode } from './html-tree.ts'
import type { ListType, Marker, Reading } from './word/list-marker.ts'

/** A list item without its list: Word writes them one after the other, each with its level. */
export type FlatItem = {
  level: number
  marker: Marker
  attributes: Readonly<Record<string, string>>
  children: readonly HtmlNode[]
}

type OpenList = {
  level: number
  name: 'ol' | 'ul'
  type: ListType
  next: number
  items: HtmlNode[]
  content: HtmlNode[]
}

/** Nests items by level. An item that is deeper by more than one level is in a list of the item before it. */
export function buildLists(items: readonly FlatItem[]): HtmlNode[] {
  const lists: HtmlNode[] = []
  const open: OpenList[] = []
  for (const item of items) {
    while ((open.at(-1)?.level ?? item.level) > item.level) open.pop()
    const list = open.at(-1)
    const reading = list && list.level === item.level ? readIn(list, item.marker) : null
    if (list && reading) {
      addItem(list, item, reading)
      continue
    }
    // Another kind of list at the same level follows the one before it.
    if (list?.level === item.level) open.pop()
    const started = startList(item)
    const target = open.at(-1)?.content ?? lists
    target.push(started.element)
    open.push(started.list)
  }
  return lists
}

/** Reads a marker as the next one of a list, or returns null if it begins another list. */
function readIn(list: OpenList, marker: Marker): Reading | null {
  if (marker.list !== list.name) return null
  if (marker.list === 'ul') return { type: '1', number: list.next }
  const same = marker.readings.filter(({ type }) => type === list.type)
  const following = same.find(({ number }) => number === list.next)
  if (following) return following
  // A number that doesn't follow stays what it is, unless the count begins again.
  return same.find(({ number }) => number > list.next) ?? null
}

function addItem(list: OpenList, item: FlatItem, { number }: Reading): void {
  const value = list.name === 'ol' && number !== list.next ? { value: String(number) } : {}
  const content = [...item.children]
  list.items.push(createElement('li', { ...item.attributes, ...value }, content))
  list.content = content
  list.next = number + 1
}

function startList(item: FlatItem): { list: OpenList; element: HtmlElement } {
  const { marker } = item
  const { type, number } =
    marker.list === 'ul' ? { type: '1' as const, number: 1 } : firstReading(marker.readings)
  const items: HtmlNode[] = []
  const content = [...item.children]
  items.push(createElement('li', item.attributes, content))
  const attributes = {
    ...(number !== 1 && { start: String(number) }),
    ...(type !== '1' && { type }),
  }
  return {
    list: { level: item.level, name: marker.list, type, next: number + 1, items, content },
    element: createElement(marker.list, attributes, items),
  }
}

function firstReading(readings: readonly Reading[]): Reading {
  return readings.find(({ number }) => number === 1) ?? readings[0] ?? { type: '1', number: 1 }
}
