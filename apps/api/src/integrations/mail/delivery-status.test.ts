import { expect, test } from 'vitest'
import { parseDeliveryStatus } from './delivery-status.ts'

function report(fields: string, type = 'message/delivery-status'): Buffer {
  return Buffer.from(
    [
      'From: mailer-daemon@example.org',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'It could not be delivered.',
      '--b',
      `Content-Type: ${type}`,
      '',
      'Reporting-MTA: dns; mx.example.org',
      '',
      fields,
      '--b--',
      '',
    ].join('\r\n'),
  )
}

const failed = 'Final-Recipient: rfc822; ann@example.org\r\nAction: failed\r\n'

test.each([
  [
    'a mailbox that does not exist',
    `${failed}Status: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 <ann@example.org>\r\n  User unknown`,
    { isPermanent: true, reason: '5.1.1 550 5.1.1 … User unknown' },
  ],
  ['a full mailbox', `${failed}Status: 4.2.2 (full)`, { isPermanent: false, reason: '4.2.2' }],
  ['a report without a status', failed.trim(), { isPermanent: true, reason: '5.0.0' }],
  ['a delayed message', 'Action: delayed\r\nStatus: 4.4.1', null],
  ['a delivered message', 'Action: delivered\r\nStatus: 2.0.0', null],
])('reads %s', async (_name, fields, expected) => {
  expect(await parseDeliveryStatus(report(fields))).toEqual(expected)
})

test.each([
  ['an automatic reply', Buffer.from('Subject: Out of office\r\n\r\nBack on Monday.')],
  ['a report of another kind', report(failed, 'message/disposition-notification')],
  ['no email at all', Buffer.from([0, 255, 10])],
])('ignores %s', async (_name, source) => {
  expect(await parseDeliveryStatus(source)).toBeNull()
})
