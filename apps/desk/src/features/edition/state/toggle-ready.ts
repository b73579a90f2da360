import { named } from './memo-rows.ts'
import type { OpenMemo } from './use-draft.ts'
import type { Undo } from './use-undo.ts'

/** Marks a memo as ready or not, and offers to take that back. */
export function toggleReady({ draft }: OpenMemo, { offer }: Undo): void {
  const { ready, title } = draft.getState().text
  draft.type({ ready: !ready })
  offer({
    text: `${ready ? 'Not ready' : 'Ready'}: ${named(title)}.`,
    async undo() {
      draft.type({ ready })
      await draft.flush()
    },
  })
}
