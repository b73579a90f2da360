import type { FocusEvent } from 'react'
import type { TextDraft } from '#lib/saving/text-draft.ts'

/** Tells a draft which field has the focus, so that nothing changes under the hand. `onWrite` learns of it too. */
export function focusOf(draft: Pick<TextDraft<object>, 'focus' | 'flush'>, onWrite?: () => void) {
  return {
    onFocus({ target }: FocusEvent<HTMLElement>) {
      onWrite?.()
      draft.focus(target.closest('[data-field]')?.getAttribute('data-field') ?? target.getAttribute('name'))
    },
    onBlur() {
      draft.focus(null)
      void draft.flush()
    },
  }
}
