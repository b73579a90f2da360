/** Which memos are open, and which one a tap opened last. */
export type Expansion = { openIds: ReadonlySet<string>; lastOpenedId: string | null }

export type ExpansionEvent =
  | { type: 'toggled'; id: string }
  | { type: 'expandedAll'; ids: readonly string[] }
  | { type: 'simplified' }

/** Returns the first state: the memos that were open when the reader was here last. */
export function startExpansion(openIds: readonly string[]): Expansion {
  return { openIds: new Set(openIds), lastOpenedId: null }
}

/** Returns the next state: a tap toggles one memo, 'Expand all' and 'Simplify' change all of them. */
export function expansionReducer(expansion: Expansion, event: ExpansionEvent): Expansion {
  switch (event.type) {
    case 'toggled': {
      const openIds = new Set(expansion.openIds)
      if (openIds.delete(event.id)) return { openIds, lastOpenedId: null }
      return { openIds: openIds.add(event.id), lastOpenedId: event.id }
    }
    case 'expandedAll':
      return startExpansion(event.ids)
    case 'simplified':
      return startExpansion([])
  }
}
