import { describeCalls } from '../testing/describe-calls.ts'
import { wireMember } from '../testing/wire-samples.ts'
import { createMemberCalls } from './member-calls.ts'

const saved = { data: wireMember({ verified: true }), message: 'Saved.' }
const sessionId = '0199a1f4-1111-7abc-8def-0123456789ab'

describeCalls(createMemberCalls, {
  updateMember: {
    act: (client) => client.updateMember({ customFields: { name: 'Ada L.' } }),
    line: 'POST /member',
    body: { customFields: { name: 'Ada L.' } },
    ...saved,
  },
  'updateMemberAuth for the address': {
    act: (client) => client.updateMemberAuth({ email: 'new@example.com' }),
    line: 'POST /member-auth',
    body: { email: 'new@example.com' },
    ...saved,
  },
  'updateMemberAuth for the password': {
    act: (client) => client.updateMemberAuth({ oldPassword: 'old one', newPassword: 'new one' }),
    line: 'POST /member-auth',
    body: { oldPassword: 'old one', newPassword: 'new one' },
    ...saved,
  },
  'updateMemberAuth for a pasted address': {
    act: (client) => client.updateMemberAuth({ email: 'mailto:new@example.com\u200b' }),
    line: 'POST /member-auth',
    body: { email: 'new@example.com' },
    ...saved,
  },
  setPassword: {
    act: (client) => client.setPassword({ password: 'a password' }),
    line: 'POST /member/set-password',
    body: { password: 'a password' },
    ...saved,
  },
  getMemberJSON: {
    act: (client) => client.getMemberJSON(),
    line: 'GET /member/json',
    data: { read: ['11-20-26-10AM'] },
  },
  updateMemberJSON: {
    act: (client) => client.updateMemberJSON({ json: { read: [] } }),
    line: 'POST /member/json',
    body: { json: { read: [] } },
    data: { read: [] },
  },
  deleteMemberProfileImage: {
    act: (client) => client.deleteMemberProfileImage(),
    line: 'DELETE /member/profile-image',
    data: { profileImage: null },
    message: 'The picture is removed.',
  },
  'updateMemberProfileImage with null': {
    act: (client) => client.updateMemberProfileImage({ profileImage: null }),
    line: 'DELETE /member/profile-image',
    data: { profileImage: null },
    message: 'The picture is removed.',
  },
  deleteMember: {
    act: (client) => client.deleteMember(),
    line: 'DELETE /member',
    data: { id: 'mem_ada' },
  },
  listSessions: {
    act: (client) => client.listSessions(),
    line: 'GET /member/sessions',
    data: [
      {
        id: sessionId,
        createdAt: '2026-11-20T18:00:00.000Z',
        lastUsedAt: '2026-11-20T18:00:00.000Z',
        expiresAt: '2026-12-04T18:00:00.000Z',
        userAgent: 'A browser',
        current: true,
      },
    ],
  },
  endSession: {
    act: (client) => client.endSession({ sessionId }),
    line: `DELETE /member/sessions/${sessionId}`,
    data: { id: sessionId },
  },
  endOtherSessions: {
    act: (client) => client.endOtherSessions(),
    line: 'DELETE /member/sessions',
    data: { ended: 2 },
  },
  exportMember: {
    act: (client) => client.exportMember(),
    line: 'GET /member/export',
    data: {
      exportedAt: '2026-11-20T18:00:00.000Z',
      member: wireMember(),
      termsAcceptedAt: '2026-11-20T18:00:00.000Z',
      termsOrigin: 'https://reader.example',
      pausedUntil: '2026-12-01',
      pdfFormat: 'phone',
      identities: [],
      sessions: [],
      phones: [],
      feeds: [],
      deliveries: [],
      suppressions: [],
      pushDevices: [],
      comments: { posts: [], threads: [], postVotes: [], threadVotes: [], reports: [], subscriptions: [] },
    },
  },
})
