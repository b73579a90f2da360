import { describeCalls } from '../testing/describe-calls.ts'
import { wireMember } from '../testing/wire-samples.ts'
import { createMemberCalls } from './member-calls.ts'

const saved = { data: wireMember({ verified: true }), message: 'Saved.' }
const sessionId = '0199a1f4-1111-7abc-8def-0123456789ab'
const pushKeys = { p256dh: 'BPublicKey', auth: 'c2VjcmV0' }
const pushDevice = {
  id: sessionId,
  name: 'Chrome on Android',
  addedAt: '2026-11-20T18:00:00.000Z',
  lastNotifiedAt: null,
  current: true,
}

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
  getFeed: {
    act: (client) => client.getFeed(),
    line: 'GET /member/feed',
    data: { createdAt: '2026-11-20T18:00:00.000Z' },
  },
  renewFeed: {
    act: (client) => client.renewFeed(),
    line: 'POST /member/feed',
    data: {
      createdAt: '2026-11-20T18:00:00.000Z',
      rss: 'https://news.example/feeds/x/rss',
      json: 'https://news.example/feeds/x/json',
    },
  },
  deleteFeed: {
    act: (client) => client.deleteFeed(),
    line: 'DELETE /member/feed',
    data: { success: true },
  },
  getDeliveries: {
    act: (client) => client.getDeliveries(),
    line: 'GET /member/deliveries',
    data: { next: null, obstacle: 'no-plan', pausedUntil: null, pdfFormat: 'phone', recent: [] },
  },
  pauseDeliveries: {
    act: (client) => client.pauseDeliveries({ pausedUntil: '2026-12-01' }),
    line: 'POST /member/deliveries',
    body: { pausedUntil: '2026-12-01' },
    data: { next: null, obstacle: 'paused', pausedUntil: '2026-12-01', pdfFormat: 'phone', recent: [] },
  },
  choosePdfFormat: {
    act: (client) => client.choosePdfFormat({ pdfFormat: 'a4' }),
    line: 'POST /member/deliveries',
    body: { pdfFormat: 'a4' },
    data: { next: null, obstacle: 'no-plan', pausedUntil: null, pdfFormat: 'a4', recent: [] },
  },
  getPhone: {
    act: (client) => client.getPhone(),
    line: 'GET /member/phone',
    data: { number: '+12025550123', state: 'unverified', obstacle: null },
  },
  sendPhoneCode: {
    act: (client) => client.sendPhoneCode(),
    line: 'POST /member/phone/verification',
    data: { number: '+12025550123', state: 'unverified', obstacle: null },
    message: 'We texted you a code.',
  },
  verifyPhone: {
    act: (client) => client.verifyPhone({ code: '123456', timeZone: 'Europe/Berlin' }),
    line: 'POST /member/phone/verify',
    body: { code: '123456', timeZone: 'Europe/Berlin' },
    data: { number: '+12025550123', state: 'verified', obstacle: null },
    message: 'Your number is confirmed.',
  },
  'verifyPhone with a pasted code': {
    act: (client) => client.verifyPhone({ code: '\u202a１２３ ４５６\u202c' }),
    line: 'POST /member/phone/verify',
    body: { code: '123456' },
    data: { number: '+12025550123', state: 'verified', obstacle: null },
    message: 'Done.',
  },
  getSuppression: {
    act: (client) => client.getSuppression(),
    line: 'GET /member/suppression',
    data: { kind: 'bounce', since: '2026-11-20T18:00:00.000Z' },
  },
  liftSuppression: {
    act: (client) => client.liftSuppression(),
    line: 'DELETE /member/suppression',
    data: { success: true },
  },
  getPushDevices: {
    act: (client) => client.getPushDevices(),
    line: 'GET /member/push-devices',
    data: { publicKey: null, planDelivers: true, devices: [pushDevice] },
  },
  addPushDevice: {
    act: (client) => client.addPushDevice({ endpoint: 'https://push.example/1', keys: pushKeys }),
    line: 'POST /member/push-devices',
    body: { endpoint: 'https://push.example/1', keys: pushKeys },
    data: pushDevice,
  },
  removePushDevice: {
    act: (client) => client.removePushDevice({ id: sessionId }),
    line: `DELETE /member/push-devices/${sessionId}`,
    data: { id: sessionId },
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
      comments: { posts: [], threads: [], postVotes: [], threadVotes: [], subscriptions: [] },
    },
  },
})
