import type { PdfFormat } from '@tidings/contracts/delivery/deliveries'
import type { Member } from '@tidings/contracts/membership/members'
import type { VerifyPhoneRequest } from '@tidings/contracts/membership/phone'
import type { AddPushDeviceRequest } from '@tidings/contracts/membership/push'
import * as routes from '@tidings/contracts/membership/routes'
import { normalizeCode, normalizeEmail } from '@tidings/contracts/membership/typed-text'
import type { SessionStore } from '../session/session-store.ts'
import type { Reply } from '../wire/replies.ts'
import { assertUsableImage } from './profile-image.ts'
import type { Send } from './request.ts'

export function createMemberCalls({ send, session }: { send: Send; session: SessionStore }) {
  /** Updates the cached member from the response to a change. */
  async function change<Data>(
    apply: (member: Member | null, data: Data) => Member | null,
    call: () => Promise<Reply<Data>>,
  ) {
    const start = session.begin()
    const reply = await call()
    session.change((member) => apply(member, reply.data), start)
    return reply
  }

  const replaced = (_: Member | null, member: Member) => member

  function deleteMemberProfileImage() {
    return change(withImage, () => send(routes.removeProfileImage, {}))
  }

  return {
    /** Changes the given custom fields. */
    updateMember({ customFields }: { customFields?: Record<string, unknown> }) {
      return change(replaced, () => send(routes.updateMember, { body: { customFields } }))
    },

    /** Changes the address, or the password with the old one. Ends the member's other sessions. */
    updateMemberAuth({ email, oldPassword, newPassword }: AuthChange) {
      const body = { email: email && normalizeEmail(email), oldPassword, newPassword }
      return change(replaced, () => send(routes.updateAuth, { body }))
    },

    /** Sets the first password of a member. */
    setPassword({ password }: { password: string }) {
      return change(replaced, () => send(routes.setPassword, { body: { password } }))
    },

    /** Returns the member's JSON, or null. */
    getMemberJSON() {
      return send(routes.getMemberJson, {})
    },

    /** Replaces the member's JSON. */
    updateMemberJSON({ json }: { json: unknown }) {
      const withJson = (member: Member | null, data: unknown) => member && { ...member, json: data }
      return change(withJson, () => send(routes.updateMemberJson, { body: { json } }))
    },

    /** Uploads a picture of at most 4,000,000 bytes. Null removes the picture. */
    async updateMemberProfileImage({ profileImage }: ImageChange) {
      if (profileImage === null) return deleteMemberProfileImage()
      assertUsableImage(profileImage)
      const body = new FormData()
      body.append('profileImage', profileImage)
      return change(withImage, () => send(routes.setProfileImage, { body }))
    },

    deleteMemberProfileImage,

    /** Deletes the account and ends the session. */
    async deleteMember() {
      const start = session.begin()
      const reply = await send(routes.deleteMember, {})
      session.leave(start)
      return reply
    },

    /** Returns the member's sessions, newest first. */
    listSessions() {
      return send(routes.listSessions, {})
    },

    /** Ends another session, by an id of `listSessions`. */
    endSession({ sessionId }: { sessionId: string }) {
      return send(routes.endSession, { params: { id: sessionId } })
    },

    /** Ends all sessions but this one. */
    endOtherSessions() {
      return send(routes.endOtherSessions, {})
    },

    /** Returns since when the member has feed addresses, or null. */
    getFeed() {
      return send(routes.getMemberFeed, {})
    },

    /** Creates feed addresses, which no other call returns. Earlier ones end. */
    renewFeed() {
      return send(routes.renewMemberFeed, {})
    },

    /** Ends the feed addresses. */
    deleteFeed() {
      return send(routes.endMemberFeed, {})
    },

    /** Returns the next delivery, what keeps it from being sent, and the last thirty. */
    getDeliveries() {
      return send(routes.getMemberDeliveries, {})
    },

    /** Pauses all deliveries until a day (YYYY-MM-DD), or ends the pause with null. */
    pauseDeliveries({ pausedUntil }: Pause) {
      return send(routes.updateMemberDeliveries, { body: { pausedUntil } })
    },

    /** Chooses the pages of the PDFs that are delivered. */
    choosePdfFormat({ pdfFormat }: PdfChoice) {
      return send(routes.updateMemberDeliveries, { body: { pdfFormat } })
    },

    /** Returns the member's phone number, and whether it is verified. */
    getPhone() {
      return send(routes.getPhone, {})
    },

    /** Texts a code to the member's phone number. */
    sendPhoneCode() {
      return send(routes.sendPhoneCode, {})
    },

    /** Verifies the phone number by the code in the text. */
    verifyPhone(params: VerifyPhoneRequest) {
      return send(routes.verifyPhone, { body: { ...params, code: normalizeCode(params.code) } })
    },

    /** Returns why no editions are emailed to the member's address, or null. */
    getSuppression() {
      return send(routes.getSuppression, {})
    },

    /** Has editions emailed to the address again. */
    liftSuppression() {
      return send(routes.endSuppression, {})
    },

    /** Returns the browsers that are notified of new editions, and the key that a browser subscribes with. */
    getPushDevices() {
      return send(routes.listPushDevices, {})
    },

    /** Adds a browser that gets notifications, by its push subscription. Adding it again keeps its id. */
    addPushDevice({ endpoint, keys }: AddPushDeviceRequest) {
      return send(routes.addPushDevice, { body: { endpoint, keys } })
    },

    /** Ends the notifications of a browser, by an id of `getPushDevices`. */
    removePushDevice({ id }: { id: string }) {
      return send(routes.removePushDevice, { params: { id } })
    },

    /** Returns all data stored about the member. */
    exportMember() {
      return send(routes.exportMember, {})
    },
  }
}

function withImage(member: Member | null, { profileImage }: Pick<Member, 'profileImage'>): Member | null {
  return member && { ...member, profileImage }
}

type AuthChange = { email?: string; oldPassword?: string; newPassword?: string }
type ImageChange = { profileImage: Blob | null }
type Pause = { pausedUntil: string | null }
type PdfChoice = { pdfFormat: PdfFormat }
