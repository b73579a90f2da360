import { fieldsOf } from '@tidings/contracts/delivery/methods'
import type { Member } from '@tidings/contracts/membership/members'
import { siteMessages } from '@tidings/contracts/site-messages'
import { useState } from 'react'
import { Form } from '#components/forms/form.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { useServices } from '#lib/services.tsx'
import { type AccountDetails, detailsOf, phoneToStore, saveAccount } from '../details/account-details.ts'
import { DetailsFields } from '../details/details-fields.tsx'
import { detailErrors, missingDetails } from '../details/field-errors.ts'
import { DeliverySwitches, type Switches, switchesOf } from './delivery-switches.tsx'
import { isDetailMissing } from './missing-detail.ts'

/** A member's details and delivery methods, which are saved together. */
export function DashboardForm({ member }: { member: Member }) {
  const services = useServices()
  const form = useSubmission('dashboard')
  const stored = detailsOf(member)
  const [edited, setEdited] = useState<Partial<AccountDetails>>({})
  const [chosen, setChosen] = useState<Switches | null>(null)
  const details = { ...stored, ...edited }
  const switches = chosen ?? switchesOf(member)
  const { methods } = switches

  async function save(): Promise<Outcome> {
    // A wrong number is refused with the switches as they are.
    await phoneToStore({ stored, details }, services.config)
    try {
      const client = await services.memberSession.getClient()
      await saveAccount(client, services, { stored, details, customFields: fieldsOf(methods) })
    } catch (error) {
      // The switches show again what is stored; what was typed stays.
      setChosen(null)
      throw error
    }
    setEdited({})
    setChosen(null)
    return { text: siteMessages.updateSucceeded }
  }

  function submit() {
    if (isDetailMissing(methods, details))
      return form.refuse(siteMessages.checkValue, missingDetails(details))
    void form.run(save, detailErrors)
  }

  return (
    <Form submission={form} action="Submit" onSubmit={submit}>
      <DetailsFields
        form={form}
        values={details}
        storedEmail={stored.email}
        onChange={(change) => setEdited((before) => ({ ...before, ...change }))}
      />
      <DeliverySwitches switches={switches} onChange={setChosen} />
    </Form>
  )
}
