import '#features/account/dashboard/unsaved-changes.css'
import { storedMethods } from '@tidings/contracts/delivery/methods'
import type { Member } from '@tidings/contracts/membership/members'
import { siteMessages } from '@tidings/contracts/site/site-messages'
import { useState } from 'react'
import { emailCheck, nameCheck, optional, phoneCheck } from '#components/forms/field-checks.ts'
import { Form } from '#components/forms/form.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { useServices } from '#lib/services/services.tsx'
import { DeliverySwitches, type Switches, switchesOf } from '../deliveries/delivery-switches.tsx'
import { askedMethods, fieldsToSave, methodChanges, withChanges } from '../details/account-changes.ts'
import { detailsOf, phoneToStore, saveAccount } from '../details/account-details.ts'
import { DetailsFields } from '../details/details-fields.tsx'
import { detailErrors, missingDetails } from '../details/field-errors.ts'
import { isDetailMissing } from '../details/missing-detail.ts'
import { LeaveQuestion, useLeaving } from './leave-question.tsx'
import { useAccountChanges } from './use-account-changes.ts'
import { useSaveAndLeave } from './use-save-and-leave.ts'

/** A member's details and delivery methods, which are saved together. */
export function DashboardForm({ member }: { member: Member }) {
  const services = useServices()
  const stored = detailsOf(member)
  const form = useSubmission('dashboard', {
    name: optional(nameCheck),
    email: optional(emailCheck),
    phone: optional(phoneCheck(services.config.phoneRegion, stored.phone)),
  })
  const changes = useAccountChanges(member)
  const [lastAsked, setLastAsked] = useState<Switches['asked'] | null>(null)
  const { question } = useLeaving(changes.isUnsaved)
  const { details } = changes
  const methods = withChanges(member, changes.methods)
  const asked = askedMethods(lastAsked ?? storedMethods(member.customFields), changes.methods)

  function choose(chosen: Switches) {
    setLastAsked(chosen.asked)
    changes.choose(methodChanges(switchesOf(member).methods, chosen.methods))
  }

  function clear() {
    changes.clear()
    setLastAsked(null)
  }

  async function save(): Promise<Outcome> {
    const { phone: typed = stored.phone, ...others } = changes.unsaved.details
    // A wrong number is refused before anything is sent.
    const phone = await phoneToStore({ stored, details: { ...stored, phone: typed } }, services.config)
    const edited = { ...others, ...(phone !== stored.phone && { phone }) }
    const client = await services.memberSession.getClient()
    // Another device may have saved something since this screen read the account.
    const current = (await client.getCurrentMember()).data ?? member
    const now = detailsOf(current)
    const customFields = fieldsToSave(current, changes.methods)
    await saveAccount(client, services, { stored: now, details: { ...now, ...edited }, customFields })
    changes.keepNewer()
    setLastAsked((now) => (now === lastAsked ? null : now))
    return { text: siteMessages.updateSucceeded }
  }

  /** Resolves to whether everything was saved. */
  async function submit(): Promise<boolean> {
    let isSaved = false
    if (isDetailMissing(methods, details)) {
      form.refuse(siteMessages.checkValue, missingDetails(details))
      return isSaved
    }
    const { name, email, phone } = details
    await form.submit({
      values: { name, email, phone },
      missing: siteMessages.checkValue,
      async action() {
        const outcome = await save()
        isSaved = true
        return outcome
      },
      errorsOf: detailErrors,
    })
    return isSaved
  }

  const { isSaving, saveAndLeave } = useSaveAndLeave({ form, isUnsaved: changes.isUnsaved, submit })

  return (
    <>
      <Form
        submission={form}
        action="Submit"
        onSubmit={() => void submit()}
        beside={
          <p className="not-saved" role="status">
            {changes.isUnsaved && !form.isBusy ? 'Not saved yet' : ''}
          </p>
        }
        isSticky={changes.isUnsaved || form.isBusy || form.message !== null}
      >
        <DetailsFields form={form} values={details} storedEmail={stored.email} onChange={changes.edit} />
        <DeliverySwitches switches={{ methods, asked }} onChange={choose} />
      </Form>
      {question === null || isSaving ? null : (
        <LeaveQuestion
          onSave={() => saveAndLeave(question)}
          onDiscard={() => {
            clear()
            question.proceed()
          }}
          onStay={question.reset}
        />
      )}
    </>
  )
}
