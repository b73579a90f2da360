import type { Db } from '#platform/database.ts'
import { hasCode } from '#platform/errors.ts'
import type { Saver } from '#platform/text/field-versions.ts'
import type { Audit, ChangeService } from '../changes/changes.service.ts'
import { fail } from '../desk.errors.ts'
import type { DeskReply } from '../desk-reply.ts'
import type { Requester } from '../requests/register-desk.ts'
import type { TextCopy } from './working-copies.repository.ts'

/** A memo or article as people write it. */
export type TextState<Text> = {
  id: string
  copy: TextCopy<Text> | null
  text: Text
  /** The version at which each field changed last; 1 for one that is absent. */
  fieldVersions: Readonly<Record<string, number>>
  version: number
}

/** Returns the text that people write: that of readers with the changes of its working copy. */
export function writtenText<Text extends object>(publicText: Text, copy: TextCopy<Text> | null): Text {
  return copy === null ? publicText : { ...publicText, ...changedFields(copy) }
}

/** Returns the fields in which a working copy differs from the public text. */
export function changedFields<Text extends object>({ fields, changed }: TextCopy<Text>): Partial<Text> {
  return pick(fields, Object.keys(changed))
}

/** Returns some fields of a text. */
export function pick<Text extends object>(text: Text, names: readonly string[]): Partial<Text> {
  const picked: Partial<Text> = { ...text }
  for (const name in text) if (!names.includes(name)) delete picked[name]
  return picked
}

/** Returns the columns of a working copy that a save changes. `fields` are the names of those that differ. */
export function changedCopy<Text>(
  { id, copy, version: last }: TextState<Text>,
  { text, fields }: { text: Text; fields: readonly string[] },
  by: Saver,
) {
  const version = last + 1
  const newer = Object.fromEntries(fields.map((field) => [field, version]))
  const changed = { ...copy?.changed, ...newer }
  return { id, version, fields: text, changed, savedById: by.id, savedBy: by.name }
}

/** Returns the fields that others have saved since version `read`. */
export function mergedFields(
  { fieldVersions }: Pick<TextState<unknown>, 'fieldVersions'>,
  fields: readonly string[],
  read: number,
): string[] {
  return Object.entries(fieldVersions)
    .filter(([field, version]) => version > read && !fields.includes(field))
    .map(([field]) => field)
}

/** Throws `version-conflict` if another text of one of the fields was saved after version `read`. */
export async function refuseClash(
  { version, fieldVersions }: Pick<TextState<unknown>, 'version' | 'fieldVersions'>,
  fields: readonly string[],
  read: number,
  readCurrent: () => Promise<{ savedBy: string }>,
): Promise<void> {
  // A version that doesn't exist yet is from before a restore.
  const isUnknown = read > version
  const clashing = fields.filter((field) => isUnknown || (fieldVersions[field] ?? 1) > read)
  if (clashing.length === 0) return
  const current = await readCurrent()
  throw fail('version-conflict', read, version, { by: current.savedBy, reply: { fields: clashing, current } })
}

type SaveWork = {
  work: (tx: Db, audit: Audit) => Promise<DeskReply>
  /** Makes the reply to a save that is repeated. */
  replay: (tx: Db, version: number) => Promise<DeskReply>
  /** Keeps a text that was refused, so that it is found among the versions. */
  keepRefused: () => Promise<void>
}

/** Commits a save, or replays it. Keeps the text of one that clashes. */
export async function commitSave(
  changes: ChangeService,
  requester: Requester,
  { work, replay, keepRefused }: SaveWork,
): Promise<DeskReply> {
  try {
    return await changes.runSave(requester, work, replay)
  } catch (error) {
    if (hasCode(error, 'version-conflict')) await keepRefused()
    throw error
  }
}
