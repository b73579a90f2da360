import type { AnnouncedEvent, DeskActor } from '@tidings/contracts/desk/events'
import { type EditionRow, idOf, keyOf } from '#features/editions/index.ts'
import type { Db } from '#platform/database.ts'
import { type NotificationChannel, notify } from '#platform/notifications/notifications.ts'
import type { Editor } from '../requests/editor.ts'

/** The events that each process sends to its open desks. */
export const deskEventsChannel: NotificationChannel = 'tidings_desk_events'

/** Tells each process to check that the editors of its sockets still have access. */
export const deskAccessChannel: NotificationChannel = 'tidings_desk_access'

/** Sends an event to all open desks when the transaction commits. */
export async function announce(tx: Db, event: AnnouncedEvent): Promise<void> {
  await notify(tx, deskEventsChannel, JSON.stringify(event))
}

/** Announces the status of an edition; `editor` is null for a change by the site itself. */
export async function announceEdition(tx: Db, edition: EditionRow, editor: Editor | null): Promise<void> {
  const { status, version } = edition
  const by = editor === null ? null : toActor(editor)
  await announce(tx, { type: 'edition', edition: keyOf(idOf(edition)), status, version, by })
}

/** Closes the sockets of editors whose key or session ends with this transaction. */
export async function announceEndedAccess(tx: Db): Promise<void> {
  await notify(tx, deskAccessChannel, '')
}

/** Returns the editor as events name them. */
export function toActor({ kind, id, name }: Editor): DeskActor {
  return { kind, id, name }
}
