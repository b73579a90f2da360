import type { KeptWords } from '#lib/saving/draft-state.ts'
import { differing, pick } from '#lib/saving/text-fields.ts'

/** Returns whether what the device kept are words of a text with these fields. */
export function isKeptOf<Text extends object>(value: unknown, text: Text): value is KeptWords<Text> {
  if (typeof value !== 'object' || value === null || !('fields' in value) || !('versions' in value))
    return false
  const { fields, versions } = value
  if (typeof fields !== 'object' || fields === null || typeof versions !== 'object' || versions === null)
    return false
  return Object.keys(fields).every((name) => name in text)
}

/** Returns the kept fields that the text doesn't have as they are. */
export function newInKept<Text extends object>(
  { fields, versions }: KeptWords<Text>,
  text: Text,
): KeptWords<Text> {
  const names = differing(fields, text)
  const kept = Object.entries(versions).filter(([name]) => names.includes(name))
  const picked: Partial<Text> = pick<Partial<Text>>(fields, names)
  return { fields: picked, versions: Object.fromEntries(kept) }
}
