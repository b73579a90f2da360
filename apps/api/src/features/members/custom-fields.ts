import { limits } from '@tidings/contracts/limits'
import { AppError } from '#platform/errors.ts'
import { cleanJsonObject, cleanText } from '#platform/free-json.ts'
import type { CustomFieldDefinition } from '#platform/membership-apps/app-config.ts'

/**
 * Returns the kept fields changed by what was sent under the keys that the app defines; others are ignored, as clients
 * send whatever they hold. Throws `invalid-request`, naming the field, for a value that is no text or too long, and
 * `payload-too-large` when all fields together are.
 */
export function readCustomFields(
  definitions: readonly CustomFieldDefinition[],
  sent: Readonly<Record<string, unknown>>,
  kept: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const taken = definitions.filter(({ key }) => Object.hasOwn(sent, key) && sent[key] !== undefined)
  const changed = taken.map((definition) => [definition.key, readValue(definition, sent[definition.key])])
  const fields = { ...kept, ...Object.fromEntries(changed) }
  return cleanJsonObject(fields, { what: 'customFields', maxBytes: limits.customFieldsBytes })
}

function readValue({ key, label, type }: CustomFieldDefinition, value: unknown): string | boolean | null {
  const name = label.trim() === '' ? key : label
  if (value === null) return null
  if (type === 'boolean') return readBoolean(name, value)
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw new AppError('invalid-request', 400, `'${name}' has to be a text. Please correct it.`)
  }
  const text = cleanText(String(value))
  if (text.length > limits.customFieldCharacters) {
    const most = limits.customFieldCharacters.toLocaleString('en-US')
    throw new AppError('invalid-request', 400, `'${name}' has at most ${most} characters. Please shorten it.`)
  }
  return text
}

/** Forms send booleans as texts. */
function readBoolean(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  if (value === 'true') return true
  if (value === 'false' || value === '') return false
  throw new AppError('invalid-request', 400, `'${name}' has to be true or false. Please correct it.`)
}
