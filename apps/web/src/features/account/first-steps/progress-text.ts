import { factsOf, methodsOf } from '@tidings/contracts/delivery/methods'
import type { Member } from '@tidings/contracts/membership/members'
import type { Phone } from '@tidings/contracts/membership/phone'
import { stepsOf } from './steps.ts'

type OfNumber = {
  /** The number of a member who chose texts, as far as it is known. */
  phone: Phone | undefined
  /** Whether confirming it is one of the steps, and not done. */
  isNumberOpen: boolean
}

/** Says how many steps are left, and nothing that isn't known yet. */
export function progressText(member: Member, { phone, isNumberOpen }: OfNumber): string {
  const { hasMethod, isConfirmed } = stepsOf(member)
  const left = [!hasMethod, !isConfirmed, isNumberOpen].filter(Boolean).length
  if (left > 0) return `${['', 'One step', 'Two steps', 'Three steps'][left]} to your first edition.`
  const hasTextsOnly = [...methodsOf(member.customFields)].every((name) => factsOf(name).address === 'number')
  if (hasTextsOnly && phone?.state !== 'verified')
    return 'Last, confirm your number in your account. Then texts come to you.'
  return 'You’re all set. The next edition comes to you.'
}
