import { limits } from '@tidings/contracts/limits'
import { fitsCustomField } from '@tidings/contracts/membership/field-rules'
import { cleanJsonObject, cleanText } from '#platform/free-json.ts'
import type { CustomFieldDefinition } from '#platform/membership-apps/app-config.ts'
import { fail } from './members.errors.ts'

/**
 * Returns the stored fields with the changes that a client sent. Ignores keys that the app does not define, because
 * clients send them. Throws `invalid-request` for an invalid value, `payload-too-large` when all fields are too large.
 */
export function readCustomFields(
  definitions: readonly CustomFieldDefinition[],
  sent: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const defined = definitions.filter(({ key }) => Object.hasOwn(sent, key) && sent[key] !== undefined)
  const changes = defined.map((definition) => [definition.key, readValue(definition, sent[definition.key])])
  const fields = { ...stored, ...Object.fromEntries(changes) }
  return cleanJsonObject(fields, { what: 'customFields', maxBytes: limits.customFieldsBytes })
}

function readValue({ key, label, type }: CustomFieldDefinition, value: unknown): string | boolean | null {
  const name = label.trim() === '' ? key : label
  if (value === null) return null
  if (type === 'boolean') return readBoolean(name, value)
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw fail('invalid-request', name, 'text')
  }
  const text = cleanText(String(value))
  if (!fitsCustomField(text)) throw fail('invalid-request', name, 'length')
  return text
}

/** Accepts text as well, because forms send booleans as text. */
function readBoolean(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  if (value === 'true') return true
  if (value === 'false' || value === '') return false
  throw fail('invalid-request', name, 'boolean')
}
