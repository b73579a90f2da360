import { type DialogState, sections } from './dialog-state.ts'
import { enter, reduceDialog } from './reduce-dialog.ts'
import { sampleEvents } from './sample-events.ts'

const starts: readonly DialogState[] = [
  enter('login', ['password', 'passwordless']),
  { display: 'profile-nav', phase: 'idle', sections, home: 'profile' },
]

/** Returns the reducer's transitions between displays as a Mermaid diagram. Closing is left out: it is always possible. */
export function stateDiagram(): string {
  const lines = new Set<string>()
  const seen = new Set<string>()
  const open = [...starts]
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (seen.has(JSON.stringify(state))) continue
    seen.add(JSON.stringify(state))
    for (const event of sampleEvents) {
      const next = reduceDialog(state, event)
      if (event.type === 'closed' || next === state) continue
      if (next.display !== state.display) lines.add(`  ${idOf(state)} --> ${idOf(next)}: ${event.type}`)
      open.push(next)
    }
  }
  return ['```mermaid', 'stateDiagram-v2', ...[...lines].toSorted(), '```'].join('\n')
}

function idOf({ display }: DialogState): string {
  return display.replace('-', '_')
}
