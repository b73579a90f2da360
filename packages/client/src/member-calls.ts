import type {
  deletedMemberReply,
  endedSessionReply,
  Member,
  memberExportReply,
  profileImageReply,
  sessionsReply,
} from '@tidings/contracts/members'
import { assertUsableImage } from './profile-image.ts'
import type { DataOf, Reply } from './replies.ts'
import type { Send } from './request.ts'
import type { SessionStore } from './session-store.ts'

type ProfileImage = DataOf<typeof profileImageReply>

/** The calls by which a member changes its own data. */
export function createMemberCalls({ send, session }: { send: Send; session: SessionStore }) {
  /** Sends a change, and brings the cached member up to date with what was answered. */
  async function change<Data>(
    apply: (member: Member | null, data: Data) => Member | null,
    ...call: Parameters<Send>
  ): Promise<Reply<Data>> {
    const begun = session.begin()
    const reply = await send<Data>(...call)
    session.change((member) => apply(member, reply.data), begun)
    return reply
  }

  const replaced = (_: Member | null, member: Member) => member

  function deleteMemberProfileImage(): Promise<Reply<ProfileImage>> {
    return change<ProfileImage>(withImage, 'DELETE', '/member/profile-image')
  }

  return {
    /** Changes custom fields; keys that are not named stay as they are. */
    updateMember({ customFields }: { customFields?: Record<string, unknown> }): Promise<Reply<Member>> {
      return change(replaced, 'POST', '/member', { body: { customFields } })
    },

    /** Changes the address, or the password by the old one. The member's other sessions end. */
    updateMemberAuth({ email, oldPassword, newPassword }: AuthChange): Promise<Reply<Member>> {
      return change(replaced, 'POST', '/member-auth', { body: { email, oldPassword, newPassword } })
    },

    /** Gives a password to a member that has none yet. */
    setPassword({ password }: { password: string }): Promise<Reply<Member>> {
      return change(replaced, 'POST', '/member/set-password', { body: { password } })
    },

    /** The member's own JSON, null when it has none. */
    getMemberJSON(): Promise<Reply<unknown>> {
      return send('GET', '/member/json')
    },

    /** Replaces the member's own JSON. */
    updateMemberJSON({ json }: { json: unknown }): Promise<Reply<unknown>> {
      const withJson = (member: Member | null, data: unknown) => member && { ...member, json: data }
      return change<unknown>(withJson, 'POST', '/member/json', { body: { json } })
    },

    /** Uploads a picture of at most 4,000,000 bytes, or removes the present one when given null. */
    async updateMemberProfileImage({ profileImage }: ImageChange): Promise<Reply<ProfileImage>> {
      if (profileImage === null) return deleteMemberProfileImage()
      assertUsableImage(profileImage)
      const body = new FormData()
      body.append('profileImage', profileImage)
      return change<ProfileImage>(withImage, 'POST', '/member/profile-image', { body })
    },

    /** Removes the picture. */
    deleteMemberProfileImage,

    /** Deletes the account, and with it the session. */
    async deleteMember(): Promise<Reply<DataOf<typeof deletedMemberReply>>> {
      const begun = session.begin()
      const reply = await send<DataOf<typeof deletedMemberReply>>('DELETE', '/member')
      session.leave(begun)
      return reply
    },

    /** Where the member is logged in, newest first. */
    listSessions(): Promise<Reply<DataOf<typeof sessionsReply>>> {
      return send('GET', '/member/sessions')
    },

    /** Logs the member out somewhere else, by an id of `listSessions`. */
    endSession({ sessionId }: { sessionId: string }): Promise<Reply<DataOf<typeof endedSessionReply>>> {
      return send('DELETE', '/member/sessions/:id', { params: { id: sessionId } })
    },

    /** Everything that is kept about the member. */
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
