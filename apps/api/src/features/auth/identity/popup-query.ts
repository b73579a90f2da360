import { z } from 'zod'
import { cleanJsonObject, cleanText } from '#platform/free-json.ts'

const longestFields = 20_000

/**
 * What a client opens the popup with. Clients encode `customFields` and `plans` once more than an address needs, and
 * leave out what they do not have, or send its name. The oldest name neither their key nor their page.
 */
export const popupQuery = z.object({
  provider: z.string().min(1).max(40),
  appId: z.string().max(100).optional(),
  publicKey: z.string().max(100).optional(),
  origin: z.string().max(255).optional(),
  customFields: z.string().max(longestFields).optional(),
  plans: z.string().max(5_000).optional(),
  member: z.string().max(2_000).optional(),
  allowSignup: z.string().max(10).optional(),
})
export type PopupQuery = z.infer<typeof popupQuery>

const customFieldsSchema = z.record(z.string(), z.unknown())
const plansSchema = z.array(z.object({ planId: z.string().max(100).transform(cleanText) })).max(20)

/** What somebody brings along who signs up, fit to be kept; what cannot be read is as if it were not there. */
export function readBelongings({ customFields, plans }: PopupQuery): {
  customFields: Record<string, unknown>
  plans: { planId: string }[]
} {
  return {
    customFields: cleanJsonObject(customFieldsSchema.safeParse(parseTwice(customFields)).data ?? {}, {
      what: 'customFields',
      maxBytes: longestFields,
    }),
    plans: plansSchema.safeParse(parseTwice(plans)).data ?? [],
  }
}

/** JSON as it is, or encoded for an address a second time. */
function parseTwice(text: string | undefined): unknown {
  if (text === undefined) return undefined
  for (const candidate of [text, decoded(text)]) {
    try {
      return JSON.parse(candidate)
    } catch {
      // The other form, then.
    }
  }
  return undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
