import {
  type ChosenMethods,
  type DeliveryMethod,
  deliveryMethods,
  exclusionNote,
  factsOf,
  fieldsOf,
  methodsOf,
  storedMethods,
  withMethod,
} from '@tidings/contracts/delivery/methods'
import type { Member } from '@tidings/contracts/membership/members'
import { siteMessages } from '@tidings/contracts/site-messages'
import { useState } from 'react'
import { emailCheck, optional, phoneCheck } from '#components/forms/field-checks.ts'
import { Form } from '#components/forms/form.tsx'
import { Switch } from '#components/forms/switch.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { useServices } from '#lib/services.tsx'
import { type AccountDetails, detailsOf, phoneToStore, saveAccount } from '../details/account-details.ts'
import { DetailsFields } from '../details/details-fields.tsx'
import { detailErrors, missingDetails } from '../details/field-errors.ts'
import { isDetailMissing } from './missing-detail.ts'

/** What the switches show, and what was asked of them. */
type Switches = { methods: ChosenMethods; asked: ReadonlySet<DeliveryMethod> }

/** A member's details and delivery methods, which are saved together. */
export function DashboardForm({ member }: { member: Member }) {
  const services = useServices()
  const stored = detailsOf(member)
  const form = useSubmission('dashboard', {
    email: optional(emailCheck),
    phone: optional(phoneCheck(services.config.phoneRegion, stored.phone)),
  })
  const [edited, setEdited] = useState<Partial<AccountDetails>>({})
  const [chosen, setChosen] = useState<Switches | null>(null)
  const details = { ...stored, ...edited }
  const { methods, asked } = chosen ?? {
    methods: methodsOf(member.customFields),
    asked: storedMethods(member.customFields),
  }
  const note = exclusionNote(asked, methods)

  function choose(method: DeliveryMethod, isOn: boolean) {
    const others = [...methods].filter((other) => other !== method)
    setChosen({
      methods: withMethod(methods, method, isOn),
      asked: new Set(isOn ? [...others, method] : others),
    })
  }

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
    const { email, phone } = details
    void form.submit({
      values: { email, phone },
      missing: siteMessages.checkValue,
      action: save,
      errorsOf: detailErrors,
    })
  }

  return (
    <Form submission={form} action="Submit" onSubmit={submit}>
      <DetailsFields
        form={form}
        values={details}
        storedEmail={stored.email}
        onChange={(change) => setEdited((before) => ({ ...before, ...change }))}
      />
      <fieldset className="switches">
        <legend className="visually-hidden">What you receive</legend>
        {deliveryMethods.map((method) => (
          <Switch
            key={method}
            label={factsOf(method).label}
            checked={methods.has(method)}
            onChange={(isOn) => choose(method, isOn)}
          />
        ))}
        <p role="status" className="switches-note">
          {note}
        </p>
      </fieldset>
    </Form>
  )
}
