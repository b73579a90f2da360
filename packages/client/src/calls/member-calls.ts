import type { memberDeliveriesReply, PdfFormat } from '@tidings/contracts/delivery/deliveries'
import type {
  AddPushDeviceRequest,
  addedPushDeviceReply,
  pushDevicesReply,
  removedPushDeviceReply,
} from '@tidings/contracts/delivery/push'
import type {
  deletedMemberReply,
  endedSessionReply,
  endedSessionsReply,
  liftedSuppressionReply,
  Member,
  memberExportReply,
  memberFeedReply,
  newMemberFeedReply,
  profileImageReply,
  removedMemberFeedReply,
  sessionsReply,
  suppressionReply,
} from '@tidings/contracts/membership/members'
import type {
  phoneReply,
  phoneWithMessageReply,
  VerifyPhoneRequest,
} from '@tidings/contracts/membership/phone'
import { normalizeCode, normalizeEmail } from '@tidings/contracts/membership/typed-text'
import type { SessionStore } from '../session/session-store.ts'
import type { DataOf, Reply } from '../wire/replies.ts'
import { assertUsableImage } from './profile-image.ts'
import type { Send } from './request.ts'

type ProfileImage = DataOf<typeof profileImageReply>

export function createMemberCalls({ send, session }: { send: Send; session: SessionStore }) {
  /** Sends a change and updates the cached member from the response. */
  async function change<Data>(
    apply: (member: Member | null, data: Data) => Member | null,
    ...call: Parameters<Send>
  ): Promise<Reply<Data>> {
    const start = session.begin()
    const reply = await send<Data>(...call)
    session.change((member) => apply(member, reply.data), start)
    return reply
  }

  const replaced = (_: Member | null, member: Member) => member

  function deleteMemberProfileImage(): Promise<Reply<ProfileImage>> {
    return change<ProfileImage>(withImage, 'DELETE', '/member/profile-image')
  }

  return {
    /** Changes the given custom fields. */
    updateMember({ customFields }: { customFields?: Record<string, unknown> }): Promise<Reply<Member>> {
      return change(replaced, 'POST', '/member', { body: { customFields } })
    },

    /** Changes the address, or the password with the old one. Ends the member's other sessions. */
    updateMemberAuth({ email, oldPassword, newPassword }: AuthChange): Promise<Reply<Member>> {
      return change(replaced, 'POST', '/member-auth', {
        body: { email: email && normalizeEmail(email), oldPassword, newPassword },
      })
    },

    /** Sets the first password of a member. */
    setPassword({ password }: { password: string }): Promise<Reply<Member>> {
      return change(replaced, 'POST', '/member/set-password', { body: { password } })
    },

    /** Returns the member's JSON, or null. */
    getMemberJSON(): Promise<Reply<unknown>> {
      return send('GET', '/member/json')
    },

    /** Replaces the member's JSON. */
    updateMemberJSON({ json }: { json: unknown }): Promise<Reply<unknown>> {
      const withJson = (member: Member | null, data: unknown) => member && { ...member, json: data }
      return change<unknown>(withJson, 'POST', '/member/json', { body: { json } })
    },

    /** Uploads a picture of at most 4,000,000 bytes. Null removes the picture. */
    async updateMemberProfileImage({ profileImage }: ImageChange): Promise<Reply<ProfileImage>> {
      if (profileImage === null) return deleteMemberProfileImage()
      assertUsableImage(profileImage)
      const body = new FormData()
      body.append('profileImage', profileImage)
      return change<ProfileImage>(withImage, 'POST', '/member/profile-image', { body })
    },

    deleteMemberProfileImage,

    /** Deletes the account and ends the session. */
    async deleteMember(): Promise<Reply<DataOf<typeof deletedMemberReply>>> {
      const start = session.begin()
      const reply = await send<DataOf<typeof deletedMemberReply>>('DELETE', '/member')
      session.leave(start)
      return reply
    },

    /** Returns the member's sessions, newest first. */
    listSessions(): Promise<Reply<DataOf<typeof sessionsReply>>> {
      return send('GET', '/member/sessions')
    },

    /** Ends another session, by an id of `listSessions`. */
    endSession({ sessionId }: { sessionId: string }): Promise<Reply<DataOf<typeof endedSessionReply>>> {
      return send('DELETE', '/member/sessions/:id', { params: { id: sessionId } })
    },

    /** Ends all sessions but this one. */
    endOtherSessions(): Promise<Reply<DataOf<typeof endedSessionsReply>>> {
      return send('DELETE', '/member/sessions')
    },

    /** Returns since when the member has feed addresses, or null. */
    getFeed(): Promise<Reply<DataOf<typeof memberFeedReply>>> {
      return send('GET', '/member/feed')
    },

    /** Creates feed addresses, which no other call returns. Earlier ones end. */
    renewFeed(): Promise<Reply<DataOf<typeof newMemberFeedReply>>> {
      return send('POST', '/member/feed')
    },

    /** Ends the feed addresses. */
    deleteFeed(): Promise<Reply<DataOf<typeof removedMemberFeedReply>>> {
      return send('DELETE', '/member/feed')
    },

    /** Returns the next delivery, what keeps it from being sent, and the last thirty. */
    getDeliveries(): Promise<Reply<DataOf<typeof memberDeliveriesReply>>> {
      return send('GET', '/member/deliveries')
    },

    /** Pauses all deliveries until a day (YYYY-MM-DD), or ends the pause with null. */
    pauseDeliveries({ pausedUntil }: Pause): Promise<Reply<DataOf<typeof memberDeliveriesReply>>> {
      return send('POST', '/member/deliveries', { body: { pausedUntil } })
    },

    /** Chooses the pages of the PDFs that are delivered. */
    choosePdfFormat({ pdfFormat }: PdfChoice): Promise<Reply<DataOf<typeof memberDeliveriesReply>>> {
      return send('POST', '/member/deliveries', { body: { pdfFormat } })
    },

    /** Returns the member's phone number, and whether it is verified. */
    getPhone(): Promise<Reply<DataOf<typeof phoneReply>>> {
      return send('GET', '/member/phone')
    },

    /** Texts a code to the member's phone number. */
    sendPhoneCode(): Promise<Reply<DataOf<typeof phoneWithMessageReply>>> {
      return send('POST', '/member/phone/verification')
    },

    /** Verifies the phone number by the code in the text. */
    verifyPhone(params: VerifyPhoneRequest): Promise<Reply<DataOf<typeof phoneWithMessageReply>>> {
      return send('POST', '/member/phone/verify', {
        body: { ...params, code: normalizeCode(params.code) },
      })
    },

    /** Returns why no editions are emailed to the member's address, or null. */
    getSuppression(): Promise<Reply<DataOf<typeof suppressionReply>>> {
      return send('GET', '/member/suppression')
    },

    /** Has editions emailed to the address again. */
    liftSuppression(): Promise<Reply<DataOf<typeof liftedSuppressionReply>>> {
      return send('DELETE', '/member/suppression')
    },

    /** Returns the browsers that are notified of new editions, and the key that a browser subscribes with. */
    getPushDevices(): Promise<Reply<DataOf<typeof pushDevicesReply>>> {
      return send('GET', '/member/push-devices')
    },

    /** Adds a browser that gets notifications, by its push subscription. Adding it again keeps its id. */
    addPushDevice({
      endpoint,
      keys,
    }: AddPushDeviceRequest): Promise<Reply<DataOf<typeof addedPushDeviceReply>>> {
      return send('POST', '/member/push-devices', { body: { endpoint, keys } })
    },

    /** Ends the notifications of a browser, by an id of `getPushDevices`. */
    removePushDevice({ id }: { id: string }): Promise<Reply<DataOf<typeof removedPushDeviceReply>>> {
      return send('DELETE', '/member/push-devices/:id', { params: { id } })
    },

    /** Returns all data stored about the member. */
    exportMember(): Promise<Reply<DataOf<typeof memberExportReply>>> {
      return send('GET', '/member/export')
    },
  }
}

function withImage(member: Member | null, { profileImage }: ProfileImage): Member | null {
  return member && { ...member, profileImage }
}

type AuthChange = { email?: string; oldPassword?: string; newPassword?: string }
type ImageChange = { profileImage: Blob | null }
type Pause = { pausedUntil: string | null }
type PdfChoice = { pdfFormat: PdfFormat }
