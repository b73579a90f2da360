import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'

/** A metric in a query, with the labels that the query expects of it. */
export type Selector = { metric: string; labels: string[] }

/** Returns the metrics of a PromQL query. Throws when it can't be parsed. */
export function selectorsIn(query: string): Selector[] {
  const selectors: Selector[] = []
  const textOf = ({ from, to }: SyntaxNode) => query.slice(from, to)
  parser.parse(query).iterate({
    enter({ type, node }) {
      if (type.isError) throw new Error(`Not PromQL at character ${node.from}: ${query}`)
      if (type.name !== 'VectorSelector') return
      const names = node.getChildren('Identifier').map(textOf)
      const matchers = descendants(node, 'LabelName').map(textOf)
      selectors.push({ metric: names[0] ?? '', labels: [...matchers, ...groupingAround(node).map(textOf)] })
    },
  })
  return selectors
}

/** Returns the labels by which the nearest aggregation around a selector groups. */
function groupingAround(selector: SyntaxNode): SyntaxNode[] {
  for (let node = selector.parent; node !== null; node = node.parent) {
    if (node.name !== 'AggregateExpr') continue
    const modifier = node.getChild('AggregateModifier')
    if (modifier !== null) return descendants(modifier, 'LabelName')
  }
  return []
}

function descendants(node: SyntaxNode, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name === name) found.push(child)
    found.push(...descendants(child, name))
  }
  return found
}
