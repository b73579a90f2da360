import type { FocusEvent } from 'react'
import type { TextDraft } from '#lib/saving/text-draft.ts'

/** Tells a draft which field has the focus, so that nothing changes under the hand. */
export function focusOf(draft: Pick<TextDraft<object>, 'focus' | 'flush'>) {
  return {
    onFocus({ target }: FocusEvent<HTMLElement>) {
      draft.focus(target.closest('[data-field]')?.getAttribute('data-field') ?? target.getAttribute('name'))
    },
    onBlur() {
      draft.focus(null)
      void draft.flush()
    },
  }
}
