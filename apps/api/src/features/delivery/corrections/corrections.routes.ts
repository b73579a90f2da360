import {
  getCorrectionNote,
  getEditionReach,
  sendCorrectionNote,
} from '@tidings/contracts/desk/writing/corrections'
import { registerDesk } from '#features/desk/index.ts'
import { getEditionId } from '#features/editions/index.ts'
import type { App } from '#http/app-type.ts'
import type { CorrectionNotes } from './correction-notes.service.ts'

/** Registers the notes about corrections of what members got. */
export function registerCorrectionNotes(
  app: App,
  { correctionNotes }: { correctionNotes: CorrectionNotes },
): void {
  registerDesk(app, getCorrectionNote, ({ params }) => correctionNotes.read(params.id))

  registerDesk(app, getEditionReach, ({ params }) => correctionNotes.reach(getEditionId(params.key)))

  registerDesk(app, sendCorrectionNote, ({ requester, params, body }) =>
    correctionNotes.send(requester, params.id, body.note),
  )
}
