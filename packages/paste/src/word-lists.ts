import { buildLists, type FlatItem } from './build-lists.ts'
import {
  classesOf,
  createElement,
  descendants,
  type HtmlElement,
  type HtmlNode,
  isBlock,
  isElement,
  isNamed,
  isSpace,
  textOf,
  withChildren,
} from './html-tree.ts'
import { rewriteElements, rewriteTree } from './rewrite-tree.ts'
import type { StyleReader } from './styles/declarations.ts'
import { parseDeclarations } from './styles/declarations.ts'
import type { StyleSheet } from './styles/style-sheet.ts'
import { type Marker, parseListType, parseMarker } from './word/list-marker.ts'

type Reader = { styleOf: StyleReader; sheet: StyleSheet }

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const pointsPerUnit: Readonly<Record<string, number>> = { pt: 1, in: 72, cm: 28.35, mm: 2.835, px: 0.75 }
const pointsPerLevel = 36

/** Converts Word's list paragraphs, which are only paragraphs with a marker, into nested lists. */
export function convertWordLists(root: HtmlElement, reader: Reader): HtmlElement {
  return rewriteElements(root, (element, children) => {
    const isMarked = children.some((child) => isElement(child) && isListParagraph(child, reader.styleOf))
    return [withChildren(element, isMarked ? nestParagraphs(children, reader) : children)]
  })
}

function nestParagraphs(children: readonly HtmlNode[], reader: Reader): HtmlNode[] {
  const result: HtmlNode[] = []
  let run: FlatItem[] = []
  const endRun = () => {
    for (const list of buildLists(run)) result.push(list)
    run = []
  }
  for (const child of children) {
    const item = isElement(child) ? toItem(child, reader) : null
    const last = run.at(-1)
    if (item) run.push(item)
    else if (last && isSpace(child)) continue
    else if (last && isContinuation(child, reader.styleOf)) run.splice(-1, 1, continued(last, child))
    else {
      endRun()
      result.push(
        isElement(child) && isListParagraph(child, reader.styleOf) ? withTypedMarker(child, reader) : child,
      )
    }
  }
  endRun()
  return result
}

/** Adds a paragraph to an item that has none yet, whose own text becomes the first one. */
function continued(item: FlatItem, paragraph: HtmlElement): FlatItem {
  const hasParagraphs = item.children.some((child) => isNamed(child, ['p']))
  const own = hasParagraphs ? item.children : [createElement('p', {}, item.children)]
  return { ...item, children: [...own, paragraph] }
}

function isListParagraph(element: HtmlElement, styleOf: StyleReader): boolean {
  if (!isNamed(element, ['p', ...headings]) || element.children.some(isBlock)) return false
  const list = styleOf(element.attributes.style).get('mso-list')
  if (list !== undefined) return /\blevel\d/.test(list)
  return element.name === 'p' && classesOf(element).some((name) => /^MsoList/.test(name))
}

function isContinuation(node: HtmlNode, styleOf: StyleReader): node is HtmlElement {
  if (!isNamed(node, ['p']) || textOf(node).trim() === '') return false
  const isIndented = classesOf(node).some((name) => /^MsoList(?:Paragraph|Continue)/.test(name))
  return isIndented && !/level\d/.test(styleOf(node.attributes.style).get('mso-list') ?? '')
}

/** Returns the item that a list paragraph stands for, or null if it is a heading or its marker isn't one of a list. */
function toItem(element: HtmlElement, { styleOf, sheet }: Reader): FlatItem | null {
  if (!isListParagraph(element, styleOf) || headings.includes(element.name)) return null
  const { attributes } = element
  const style = styleOf(attributes.style)
  const [, list, level] = /\b(l\d+)\s+level(\d+)/.exec(style.get('mso-list') ?? '') ?? []
  const spans = markerSpans(element, styleOf)
  if (spans.size === 0) return toItemWithTypedMarker(element, style.get('margin-left'))
  const format = parseDeclarations(sheet.lists.get(`${list}:level${level}`) ?? '').get(
    'mso-level-number-format',
  )
  const text = [...spans].map(textOf).join('')
  const marker = format === 'bullet' ? { list: 'ul' as const } : withFormat(parseMarker(text), format)
  if (marker === null) return null
  const { children } = replaceElements(element, spans, () => [])
  return { level: Number(level ?? 1), marker, attributes, children }
}

/** Word says how a level counts, so that `i.` is a letter or a numeral for certain. */
function withFormat(marker: Marker | null, format: string | undefined): Marker | null {
  const type = parseListType(format)
  if (marker?.list !== 'ol' || type === undefined) return marker
  const readings = marker.readings.filter((reading) => reading.type === type)
  return readings.length > 0 ? { list: 'ol', readings } : marker
}

/** Reads a marker that is only text with no-break spaces behind it, because a program removed Word's own styles. */
function toItemWithTypedMarker(element: HtmlElement, margin: string | undefined): FlatItem | null {
  const typed = /^\s*([^\s\p{L}\p{Nd}]|o|\(?[\p{L}\p{Nd}.]{1,8}[.)])[\s]*\u00a0\s*/u.exec(textOf(element))
  const marker = parseMarker(typed?.[1] ?? '')
  if (marker === null || !typed) return null
  const { children } = withoutFirstCharacters(element, typed[0].length)
  const level = Math.max(1, Math.round(pointsOf(margin ?? '') / pointsPerLevel))
  return { level, marker, attributes: element.attributes, children }
}

function pointsOf(length: string): number {
  const [, number, unit] = /^(\d*\.?\d+)\s*(pt|in|cm|mm|px)$/.exec(length) ?? []
  return Number(number ?? 0) * (pointsPerUnit[unit ?? ''] ?? 0)
}

/** Keeps the marker of a numbered heading, and markers that are words, as text. */
function withTypedMarker(element: HtmlElement, { styleOf }: Reader): HtmlElement {
  return replaceElements(element, markerSpans(element, styleOf), (span) => {
    const marker = textOf(span).trim()
    return marker === '' ? [] : [`${marker} `]
  })
}

/** Returns the outermost spans that hold a marker. */
function markerSpans(element: HtmlElement, styleOf: StyleReader): Set<HtmlElement> {
  const spans = new Set<HtmlElement>()
  for (const node of descendants(element)) {
    if (isElement(node) && styleOf(node.attributes.style).get('mso-list') === 'ignore') spans.add(node)
  }
  for (const span of [...spans]) {
    for (const inner of descendants(span)) if (inner !== span && isElement(inner)) spans.delete(inner)
  }
  return spans
}

function replaceElements(
  element: HtmlElement,
  replaced: ReadonlySet<HtmlElement>,
  replace: (element: HtmlElement) => readonly HtmlNode[],
): HtmlElement {
  return rewriteTree(element, true, {
    enter: (_inner, context) => context,
    leave: (inner, children) => (replaced.has(inner) ? replace(inner) : [withChildren(inner, children)]),
  })
}

function withoutFirstCharacters(element: HtmlElement, count: number): HtmlElement {
  let rest = count
  return rewriteTree(element, true, {
    enter: (_inner, context) => context,
    leave: (inner, children) => [withChildren(inner, children)],
    text: (text) => {
      const removed = Math.min(rest, text.length)
      rest -= removed
      return removed === text.length ? [] : [text.slice(removed)]
    },
  })
}
