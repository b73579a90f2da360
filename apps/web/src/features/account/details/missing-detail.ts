import type { ChosenMethods } from '@tidings/contracts/delivery/methods'
import type { AccountDetails } from './account-details.ts'

/**
 * Returns whether the dashboard refuses to save: only memos by SMS are on, and a detail is missing (kept, ADR 0005).
 */
export function isDetailMissing(methods: ChosenMethods, details: AccountDetails): boolean {
  const isMemoBySmsAlone = methods.size === 1 && methods.has('memo-sms')
  return isMemoBySmsAlone && Object.values(details).some((value) => value.trim() === '')
}
