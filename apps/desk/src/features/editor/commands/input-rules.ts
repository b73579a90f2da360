import { setBlockType } from 'prosemirror-commands'
import { InputRule, inputRules } from 'prosemirror-inputrules'
import type { Command, EditorState, Plugin, Transaction } from 'prosemirror-state'
import { schema } from '../document/schema.ts'
import { isInside, toggleBullets, toggleNumbers, toggleQuote } from './formatting.ts'

const { h2, h3, li, p } = schema.nodes

/** Writes `- `, `1. `, `> `, `## ` and `### ` at the start of a paragraph as what they mean. */
export function textRules(): Plugin {
  return inputRules({
    rules: [
      rule(/^[-*]\s$/, toggleBullets),
      rule(/^1[.)]\s$/, toggleNumbers),
      rule(/^>\s$/, toggleQuote),
      rule(/^##\s$/, setBlockType(h2)),
      rule(/^###\s$/, setBlockType(h3)),
    ],
  })
}

function rule(pattern: RegExp, command: Command): InputRule {
  return new InputRule(pattern, (state, _match, start, end) => {
    if (state.selection.$from.parent.type !== p || isInside(state, li)) return null
    return applyAfter(state, state.tr.delete(start, end), command)
  })
}

/** Returns one change: the deletion of what was typed, and the command's steps. */
function applyAfter(state: EditorState, change: Transaction, command: Command): Transaction | null {
  const next = state.apply(change)
  let isDone = false
  command(next, (following) => {
    for (const step of following.steps) change.step(step)
    isDone = true
  })
  return isDone ? change : null
}
