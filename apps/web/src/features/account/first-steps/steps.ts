import { methodsOf } from '@tidings/contracts/delivery/methods'
import type { Member } from '@tidings/contracts/membership/members'

/** The steps to the first edition that a member has done. */
export type Steps = { hasMethod: boolean; isConfirmed: boolean }

/** Reads the steps from the member, so that they are the same on every device. */
export function stepsOf({ customFields, verified }: Member): Steps {
  return { hasMethod: methodsOf(customFields).size > 0, isConfirmed: verified }
}

/** Returns whether nothing is left to do. */
export function areDone({ hasMethod, isConfirmed }: Steps): boolean {
  return hasMethod && isConfirmed
}

/** Returns an address of which only the first letter and the domain can be read: `r…@example.com`. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email
  return `${at > 0 ? first : ''}…${at < 0 ? '' : email.slice(at)}`
}
