import { z } from 'zod'
import { cleanJsonObject, cleanText } from '#platform/free-json.ts'

const maxFieldBytes = 20_000

/**
 * The query that a client opens a popup with. Clients URL-encode `customFields` and `plans` twice, and leave missing values
 * out or send their name. The oldest send neither their key nor their origin.
 */
export const popupQuery = z.object({
  provider: z.string().min(1).max(40),
  appId: z.string().max(100).optional(),
  publicKey: z.string().max(100).optional(),
  origin: z.string().max(255).optional(),
  customFields: z.string().max(maxFieldBytes).optional(),
  plans: z.string().max(5_000).optional(),
  member: z.string().max(2_000).optional(),
  allowSignup: z.string().max(10).optional(),
})
export type PopupQuery = z.infer<typeof popupQuery>

const customFieldsSchema = z.record(z.string(), z.unknown())
const plansSchema = z.array(z.object({ planId: z.string().max(100).transform(cleanText) })).max(20)

/** Returns the custom fields and plans of a sign-up, cleaned for storage. Unreadable ones count as missing. */
export function readSignupFields({ customFields, plans }: PopupQuery): {
  customFields: Record<string, unknown>
  plans: { planId: string }[]
} {
  const fields = customFieldsSchema.safeParse(parseTwice(customFields)).data ?? {}
  return {
    customFields: cleanJsonObject(fields, { what: 'customFields', maxBytes: maxFieldBytes }),
    plans: plansSchema.safeParse(parseTwice(plans)).data ?? [],
  }
}

/** Parses JSON that may be URL-encoded once more. */
function parseTwice(text: string | undefined): unknown {
  if (text === undefined) return undefined
  return parseJson(() => text) ?? parseJson(() => decodeURIComponent(text))
}

function parseJson(read: () => string): unknown {
  try {
    return JSON.parse(read())
  } catch {
    return undefined
  }
}
