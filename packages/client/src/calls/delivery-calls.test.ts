import { describeCalls } from '../testing/describe-calls.ts'
import { createDeliveryCalls } from './delivery-calls.ts'

const deviceId = '0199a1f4-1111-7abc-8def-0123456789ab'
const pushKeys = { p256dh: 'BPublicKey', auth: 'c2VjcmV0' }
const pushDevice = {
  id: deviceId,
  name: 'Chrome on Android',
  addedAt: '2026-11-20T18:00:00.000Z',
  lastNotifiedAt: null,
  current: true,
}

describeCalls(createDeliveryCalls, {
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
    act: (client) => client.removePushDevice({ id: deviceId }),
    line: `DELETE /member/push-devices/${deviceId}`,
    data: { id: deviceId },
  },
})
