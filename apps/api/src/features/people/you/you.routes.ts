import {
  addPasskey,
  changeYou,
  endSession,
  getYou,
  giveProof,
  listSessions,
  removePasskey,
  requestPasskeyOptions,
  requestProofOptions,
  signOut,
} from '@tidings/contracts/desk/people/you'
import { registerDesk, replyWith } from '#features/desk/index.ts'
import type { App } from '#http/app-type.ts'
import type { YouService } from './you.service.ts'

/** Registers the person's own page. */
export function registerYou(app: App, you: YouService): void {
  registerDesk(app, getYou, ({ requester }) => you.get(requester))
  registerDesk(app, changeYou, ({ requester, body }) => you.change(requester, body))
  registerDesk(app, requestPasskeyOptions, ({ requester }) => you.requestPasskeyOptions(requester))
  registerDesk(app, addPasskey, ({ requester, body }) => you.addPasskey(requester, body))
  registerDesk(app, removePasskey, ({ requester, params }) => you.removePasskey(requester, params.id))
  registerDesk(app, listSessions, ({ requester }) => you.listSessions(requester))
  registerDesk(app, endSession, ({ requester, params }) => you.endSession(requester, params.id))
  registerDesk(app, requestProofOptions, ({ requester }) => you.requestProofOptions(requester))
  registerDesk(app, giveProof, ({ requester, body }) => you.giveProof(requester, body.response))
  // The cookie stays: its session is over, and its path lets no other site see it.
  registerDesk(app, signOut, async ({ requester }) => {
    await you.signOut(requester)
    return replyWith({ signedIn: false })
  })
}
