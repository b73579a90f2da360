import { maxFieldBytes, type PopupQuery } from '@tidings/contracts/membership/popups'
import { z } from 'zod'
import { cleanJsonObject, cleanText } from '#platform/free-json.ts'

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
