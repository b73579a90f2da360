import type { ReactNode } from 'react'
import { TextForm } from '#features/text-form/text-form.tsx'
import { useFieldState } from '#features/writing/use-draft-state.ts'
import type { OpenMemo } from '../state/use-draft.ts'
import { SourceField } from './source-field.tsx'

type Props = {
  open: OpenMemo
  canWrite: boolean
  /** The text that readers have, if this one differs. */
  publicText: string | null
  /** Called when the person begins to write. */
  onWrite: () => void
  /** Shown below the text. */
  children: ReactNode
}

/** The fields of a memo, in the order of its readers. */
export function MemoForm({ open: { id, draft }, canWrite, publicText, onWrite, children }: Props) {
  const open = { id, draft, state: useFieldState(draft) }
  return (
    <TextForm
      open={open}
      canWrite={canWrite}
      publicText={publicText}
      onWrite={onWrite}
      below={children}
      source={<SourceField open={open} canWrite={canWrite} />}
    />
  )
}
