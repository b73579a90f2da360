import type { Member } from '@tidings/contracts/membership/members'
import * as routes from '@tidings/contracts/membership/routes'
import { normalizeEmail } from '@tidings/contracts/membership/typed-text'
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
