import type { FittedElement } from './fitted-html.ts'

/** Returns the lines of words and inline elements. */
export type InlineText = (nodes: FittedElement['children']) => string[]

const digits = [...'0123456789+-−=()']
const raised: ReadonlyMap<string, string> = new Map(zip(digits, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾'))
const lowered: ReadonlyMap<string, string> = new Map(zip(digits, '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎'))

/**
 * Creates a function that writes inline elements as text. With addresses, each link's address follows its words, unless
 * it has been written before.
 */
export function createInlineText({ hasAddresses }: { hasAddresses: boolean }): InlineText {
  const written = new Set<string>()

  function textOf(node: FittedElement | string, replaced: ReadonlySet<FittedElement>): string {
    // Only a line break begins a line.
    if (typeof node === 'string') return node.replaceAll(/\s+/g, ' ')
    const inner = node.children.map((child) => textOf(child, replaced)).join('')
    switch (node.name) {
      case 'br':
        return '\n'
      case 's':
        if (replaced.has(node)) return ' '
        return around(inner, (words) => `[struck: ${words}]`)
      case 'sup':
        return around(inner, (words) => translate(words, raised) ?? `^(${words})`)
      case 'sub':
        return around(inner, (words) => translate(words, lowered) ?? `_(${words})`)
      case 'rt':
        return around(inner, (words) => `(${words})`)
      case 'rp':
        return ''
      case 'a':
        return hasAddresses ? withAddress(inner, node.attributes.href ?? '') : inner
      default:
        return inner
    }
  }

  function withAddress(words: string, href: string): string {
    const address = href.replace(/^mailto:/, '')
    const isNew = !written.has(address)
    written.add(address)
    const isWritten = words.trim().replace(/\/$/, '') === address.replace(/\/$/, '')
    return isNew && !isWritten ? around(words, (label) => `${label} (${address})`) : words
  }

  return (nodes) => {
    const replaced = listReplaced(nodes)
    return nodes
      .map((node) => textOf(node, replaced))
      .join('')
      .split('\n')
      .map((line) => line.replaceAll(/\s+/g, ' ').trim())
      .filter((line) => line !== '')
  }
}

/** Returns the struck elements that an insertion follows, which replaces them. */
function listReplaced(nodes: FittedElement['children']): Set<FittedElement> {
  const leaves = nodes.flatMap((node) => listLeaves(node, []))
  const replaced = new Set<FittedElement>()
  let isReplaced = false
  for (const { text, path } of leaves.reverse()) {
    const struck = path.find(({ name }) => name === 's')
    if (struck !== undefined) {
      if (isReplaced) replaced.add(struck)
    } else if (text.trim() !== '') {
      isReplaced = path.some(({ name }) => name === 'ins')
    }
  }
  return replaced
}

function listLeaves(
  node: FittedElement | string,
  path: readonly FittedElement[],
): { text: string; path: readonly FittedElement[] }[] {
  if (typeof node === 'string') return [{ text: node, path }]
  return node.children.flatMap((child) => listLeaves(child, [...path, node]))
}

/** Changes a text but not the spaces around it. */
function around(text: string, change: (words: string) => string): string {
  const words = text.trim()
  return words === '' ? text : text.replace(words, () => change(words))
}

function translate(text: string, letters: ReadonlyMap<string, string>): string | undefined {
  const translated = [...text].map((letter) => letters.get(letter))
  return translated.includes(undefined) ? undefined : translated.join('')
}

function zip(keys: readonly string[], letters: string): [string, string][] {
  return [...letters].map((letter, index) => [keys[index] ?? '', letter])
}
