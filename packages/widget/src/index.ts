import type { MembershipCalls } from './dialogs/membership-calls.ts'
import { createModals as createLoadedModals } from './dialogs/modals.ts'
import type { Modals } from './dialogs/open-modal.ts'

export type { Modals } from './dialogs/open-modal.ts'

/** Creates the dialogs of a page with its client. Their code is loaded when the first one opens. */
export function createModals(calls: MembershipCalls): Modals {
  return createLoadedModals({ calls, load: () => import('./dialogs/view/open-dialog.tsx') })
}
