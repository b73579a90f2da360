import { fieldsOf, suggestedMethod } from '@tidings/contracts/delivery/methods'
import type { Member } from '@tidings/contracts/membership/members'
import { useState } from 'react'
import { Form } from '#components/forms/form.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { useServices } from '#lib/services/services.tsx'
import type { Store } from '#lib/storage/store.ts'
import { DeliverySwitches, type Switches, switchesOf } from '../deliveries/delivery-switches.tsx'
import {
  askedMethods,
  type MethodChanges,
  methodChanges,
  methodsSince,
  withChanges,
} from '../details/account-changes.ts'
import { detailsOf } from '../details/account-details.ts'
import { findChanges, saveChanges } from '../details/kept-changes.ts'
import { isDetailMissing } from '../details/missing-detail.ts'

const suggested = new Set([suggestedMethod])

/** Returns the switches as this tab has kept them; else those that are suggested. */
function keptSwitches(sessionStore: Store, member: Member): Switches {
  const changed = findChanges(sessionStore, member).methods
  if (Object.keys(changed).length === 0) return { methods: suggested, asked: suggested }
  const asked = askedMethods(switchesOf(member).asked, changed)
  return { methods: withChanges(member, changed), asked }
}

type MethodsFormProps = { member: Member; onSubmit: () => void; onFailed: () => void }

/**
 * The switches with memos by email suggested. Nothing is stored until the member submits; other choices stay in this
 * tab, also for the dashboard.
 */
export function MethodsForm({ member, onSubmit, onFailed }: MethodsFormProps) {
  const { memberSession, sessionStore } = useServices()
  const form = useSubmission('first-methods')
  const [switches, setSwitches] = useState(() => keptSwitches(sessionStore, member))
  const { methods } = switches

  function choose(chosen: Switches) {
    setSwitches(chosen)
    keep(methodChanges(switchesOf(member).methods, chosen.methods))
  }

  function keep(changed: MethodChanges) {
    saveChanges(sessionStore, member, { ...findChanges(sessionStore, member), methods: changed })
  }

  async function save(): Promise<Outcome> {
    onSubmit()
    const { methods: sent } = findChanges(sessionStore, member)
    try {
      const client = await memberSession.getClient()
      await client.updateMember({ customFields: fieldsOf(methods) })
      keep(methodsSince(sent, findChanges(sessionStore, member).methods))
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
      <DeliverySwitches switches={switches} onChange={choose} />
    </Form>
  )
}
