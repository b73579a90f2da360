import { fieldsOf, suggestedMethod } from '@tidings/contracts/delivery/methods'
import type { Member } from '@tidings/contracts/membership/members'
import { useState } from 'react'
import { Form } from '#components/forms/form.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { useServices } from '#lib/services.tsx'
import { DeliverySwitches, type Switches } from '../deliveries/delivery-switches.tsx'
import { detailsOf } from '../details/account-details.ts'
import { isDetailMissing } from '../details/missing-detail.ts'

const suggested = new Set([suggestedMethod])

type MethodsFormProps = { member: Member; onSubmit: () => void; onFailed: () => void }

/** The switches with memos by email suggested; nothing is stored until the member submits. */
export function MethodsForm({ member, onSubmit, onFailed }: MethodsFormProps) {
  const { memberSession } = useServices()
  const form = useSubmission('first-methods')
  const [switches, setSwitches] = useState<Switches>({ methods: suggested, asked: suggested })
  const { methods } = switches

  async function save(): Promise<Outcome> {
    onSubmit()
    try {
      const client = await memberSession.getClient()
      await client.updateMember({ customFields: fieldsOf(methods) })
      return 'done'
    } catch (error) {
      onFailed()
      throw error
    }
  }

  function submit() {
    if (methods.size === 0) return form.refuse('Choose at least one, or “Not now”.')
    if (isDetailMissing(methods, detailsOf(member)))
      return form.refuse('To get texts, first add your name and phone number in your account.')
    void form.run(save)
  }

  return (
    <Form submission={form} action="Submit" onSubmit={submit}>
      <DeliverySwitches switches={switches} onChange={setSwitches} />
    </Form>
  )
}
