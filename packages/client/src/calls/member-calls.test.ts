import { memberDeliveriesReply, memberDeliveriesRequest } from '@tidings/contracts/delivery/deliveries'
import {
  addedPushDeviceReply,
  addPushDeviceRequest,
  pushDevicesReply,
  removedPushDeviceReply,
} from '@tidings/contracts/delivery/push'
import { setPasswordRequest, updateAuthRequest } from '@tidings/contracts/membership/auth'
import {
  deletedMemberReply,
  endedSessionReply,
  endedSessionsReply,
  liftedSuppressionReply,
  memberExportReply,
  memberFeedReply,
  memberJsonReply,
  memberJsonRequest,
  memberWithMessageReply,
  newMemberFeedReply,
  profileImageReply,
  removedMemberFeedReply,
  sessionsReply,
  suppressionReply,
  updateMemberRequest,
} from '@tidings/contracts/membership/members'
import { phoneReply, phoneWithMessageReply, verifyPhoneRequest } from '@tidings/contracts/membership/phone'
import { describeCalls } from '../testing/describe-calls.ts'
import { wireMember } from '../testing/wire-samples.ts'
import { createMemberCalls } from './member-calls.ts'

const saved = { schema: memberWithMessageReply, data: wireMember({ verified: true }), message: 'Saved.' }
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
    sent: { body: { customFields: { name: 'Ada L.' } }, schema: updateMemberRequest },
    ...saved,
  },
  'updateMemberAuth for the address': {
    act: (client) => client.updateMemberAuth({ email: 'new@example.com' }),
    line: 'POST /member-auth',
    sent: { body: { email: 'new@example.com' }, schema: updateAuthRequest },
    ...saved,
  },
  'updateMemberAuth for the password': {
    act: (client) => client.updateMemberAuth({ oldPassword: 'old one', newPassword: 'new one' }),
    line: 'POST /member-auth',
    sent: { body: { oldPassword: 'old one', newPassword: 'new one' }, schema: updateAuthRequest },
    ...saved,
  },
  'updateMemberAuth for a pasted address': {
    act: (client) => client.updateMemberAuth({ email: 'mailto:new@example.com\u200b' }),
    line: 'POST /member-auth',
    sent: { body: { email: 'new@example.com' } },
    ...saved,
  },
  setPassword: {
    act: (client) => client.setPassword({ password: 'a password' }),
    line: 'POST /member/set-password',
    sent: { body: { password: 'a password' }, schema: setPasswordRequest },
    ...saved,
  },
  getMemberJSON: {
    act: (client) => client.getMemberJSON(),
    line: 'GET /member/json',
    schema: memberJsonReply,
    data: { read: ['11-20-26-10AM'] },
  },
  updateMemberJSON: {
    act: (client) => client.updateMemberJSON({ json: { read: [] } }),
    line: 'POST /member/json',
    sent: { body: { json: { read: [] } }, schema: memberJsonRequest },
    schema: memberJsonReply,
    data: { read: [] },
  },
  deleteMemberProfileImage: {
    act: (client) => client.deleteMemberProfileImage(),
    line: 'DELETE /member/profile-image',
    schema: profileImageReply,
    data: { profileImage: null },
    message: 'The picture is removed.',
  },
  'updateMemberProfileImage with null': {
    act: (client) => client.updateMemberProfileImage({ profileImage: null }),
    line: 'DELETE /member/profile-image',
    schema: profileImageReply,
    data: { profileImage: null },
    message: 'The picture is removed.',
  },
  deleteMember: {
    act: (client) => client.deleteMember(),
    line: 'DELETE /member',
    schema: deletedMemberReply,
    data: { id: 'mem_ada' },
  },
  listSessions: {
    act: (client) => client.listSessions(),
    line: 'GET /member/sessions',
    schema: sessionsReply,
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
    schema: endedSessionReply,
    data: { id: sessionId },
  },
  endOtherSessions: {
    act: (client) => client.endOtherSessions(),
    line: 'DELETE /member/sessions',
    schema: endedSessionsReply,
    data: { ended: 2 },
  },
  getFeed: {
    act: (client) => client.getFeed(),
    line: 'GET /member/feed',
    schema: memberFeedReply,
    data: { createdAt: '2026-11-20T18:00:00.000Z' },
  },
  renewFeed: {
    act: (client) => client.renewFeed(),
    line: 'POST /member/feed',
    schema: newMemberFeedReply,
    data: {
      createdAt: '2026-11-20T18:00:00.000Z',
      rss: 'https://news.example/feeds/x/rss',
      json: 'https://news.example/feeds/x/json',
    },
  },
  deleteFeed: {
    act: (client) => client.deleteFeed(),
    line: 'DELETE /member/feed',
    schema: removedMemberFeedReply,
    data: { success: true },
  },
  getDeliveries: {
    act: (client) => client.getDeliveries(),
    line: 'GET /member/deliveries',
    schema: memberDeliveriesReply,
    data: { next: null, obstacle: 'no-plan', pausedUntil: null, pdfFormat: 'phone', recent: [] },
  },
  pauseDeliveries: {
    act: (client) => client.pauseDeliveries({ pausedUntil: '2026-12-01' }),
    line: 'POST /member/deliveries',
    sent: { body: { pausedUntil: '2026-12-01' }, schema: memberDeliveriesRequest },
    schema: memberDeliveriesReply,
    data: { next: null, obstacle: 'paused', pausedUntil: '2026-12-01', pdfFormat: 'phone', recent: [] },
  },
  choosePdfFormat: {
    act: (client) => client.choosePdfFormat({ pdfFormat: 'a4' }),
    line: 'POST /member/deliveries',
    sent: { body: { pdfFormat: 'a4' }, schema: memberDeliveriesRequest },
    schema: memberDeliveriesReply,
    data: { next: null, obstacle: 'no-plan', pausedUntil: null, pdfFormat: 'a4', recent: [] },
  },
  getPhone: {
    act: (client) => client.getPhone(),
    line: 'GET /member/phone',
    schema: phoneReply,
    data: { number: '+12025550123', state: 'unverified', obstacle: null },
  },
  sendPhoneCode: {
    act: (client) => client.sendPhoneCode(),
    line: 'POST /member/phone/verification',
    schema: phoneWithMessageReply,
    data: { number: '+12025550123', state: 'unverified', obstacle: null },
    message: 'We texted you a code.',
  },
  verifyPhone: {
    act: (client) => client.verifyPhone({ code: '123456', timeZone: 'Europe/Berlin' }),
    line: 'POST /member/phone/verify',
    sent: { body: { code: '123456', timeZone: 'Europe/Berlin' }, schema: verifyPhoneRequest },
    schema: phoneWithMessageReply,
    data: { number: '+12025550123', state: 'verified', obstacle: null },
    message: 'Your number is confirmed.',
  },
  'verifyPhone with a pasted code': {
    act: (client) => client.verifyPhone({ code: '\u202a１２３ ４５６\u202c' }),
    line: 'POST /member/phone/verify',
    sent: { body: { code: '123456' } },
    schema: phoneWithMessageReply,
    data: { number: '+12025550123', state: 'verified', obstacle: null },
    message: 'Done.',
  },
  getSuppression: {
    act: (client) => client.getSuppression(),
    line: 'GET /member/suppression',
    schema: suppressionReply,
    data: { kind: 'bounce', since: '2026-11-20T18:00:00.000Z' },
  },
  liftSuppression: {
    act: (client) => client.liftSuppression(),
    line: 'DELETE /member/suppression',
    schema: liftedSuppressionReply,
    data: { success: true },
  },
  getPushDevices: {
    act: (client) => client.getPushDevices(),
    line: 'GET /member/push-devices',
    schema: pushDevicesReply,
    data: { publicKey: null, planDelivers: true, devices: [pushDevice] },
  },
  addPushDevice: {
    act: (client) => client.addPushDevice({ endpoint: 'https://push.example/1', keys: pushKeys }),
    line: 'POST /member/push-devices',
    sent: { body: { endpoint: 'https://push.example/1', keys: pushKeys }, schema: addPushDeviceRequest },
    schema: addedPushDeviceReply,
    data: pushDevice,
  },
  removePushDevice: {
    act: (client) => client.removePushDevice({ id: sessionId }),
    line: `DELETE /member/push-devices/${sessionId}`,
    schema: removedPushDeviceReply,
    data: { id: sessionId },
  },
  exportMember: {
    act: (client) => client.exportMember(),
    line: 'GET /member/export',
    schema: memberExportReply,
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
