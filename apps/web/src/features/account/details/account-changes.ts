import {
  type ChosenMethods,
  type DeliveryMethod,
  deliveryMethods,
  factsOf,
  isDeliveryMethod,
  methodsOf,
  storedMethods,
  withChoice,
} from '@tidings/contracts/delivery/methods'
import type { Member } from '@tidings/contracts/membership/members'
import * as z from 'zod/mini'
import { parseJson } from '#lib/api/json.ts'
import type { AccountDetails } from './account-details.ts'

/** The methods that a member turned on or off and has not saved. */
export type MethodChanges = Partial<Record<DeliveryMethod, boolean>>

/** The changes on the dashboard that are not saved. */
export type UnsavedChanges = { details: Partial<AccountDetails>; methods: MethodChanges }

const changesSchema = z.object({
  details: z.object({
    name: z.optional(z.string()),
    email: z.optional(z.string()),
    phone: z.optional(z.string()),
  }),
  methods: z.record(z.string(), z.boolean()),
})

/** Reads the changes that this browser tab kept; none if it kept something else. */
export function parseChanges(text: string | null): UnsavedChanges {
  const { data } = changesSchema.safeParse(parseJson(text ?? ''))
  if (data === undefined) return { details: {}, methods: {} }
  const { name, email, phone } = data.details
  return {
    details: {
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(phone !== undefined && { phone }),
    },
    methods: Object.fromEntries(Object.entries(data.methods).filter(([method]) => isDeliveryMethod(method))),
  }
}

/** Returns what leads from the stored methods to the chosen ones. */
export function methodChanges(stored: ChosenMethods, chosen: ChosenMethods): MethodChanges {
  const changed = deliveryMethods.filter((method) => stored.has(method) !== chosen.has(method))
  return Object.fromEntries(changed.map((method) => [method, chosen.has(method)]))
}

/** Returns the changes that remain once earlier ones are saved: those made since, also back. */
export function methodsSince(saved: MethodChanges, now: MethodChanges): MethodChanges {
  const newer = deliveryMethods.flatMap((method) => {
    if (now[method] === saved[method]) return []
    return [[method, now[method] ?? saved[method] === false] as const]
  })
  return Object.fromEntries(newer)
}

/** Returns the methods that a member asked for, also those that another one keeps off. */
export function askedMethods(stored: ReadonlySet<DeliveryMethod>, changes: MethodChanges): ChosenMethods {
  return new Set(deliveryMethods.filter((method) => changes[method] ?? stored.has(method)))
}

/** Makes the changes on top of what is stored now, which another device may have changed meanwhile. */
export function withChanges(
  { customFields }: Pick<Member, 'customFields'>,
  changes: MethodChanges,
): ChosenMethods {
  const stored = methodsOf(customFields)
  return withChoice(stored, askedMethods(stored, changes))
}

/** Returns the custom fields of the methods that the changes turn on or off. The others stay as they are stored. */
export function fieldsToSave(
  member: Pick<Member, 'customFields'>,
  changes: MethodChanges,
): Record<string, boolean> {
  const changed = methodChanges(storedMethods(member.customFields), withChanges(member, changes))
  const fields = deliveryMethods.flatMap((method) => {
    const isOn = changed[method]
    return isOn === undefined ? [] : [[factsOf(method).field, isOn] as const]
  })
  return Object.fromEntries(fields)
}
