import { describe, expect, test } from 'vitest'
import { readReport } from './read-report.ts'

type Parts = readonly (readonly [type: string, content: string])[]

/** Returns a report with these parts, and a text before them. */
function reportOf(parts: Parts, type = 'multipart/report; report-type=delivery-status'): Buffer {
  const all: Parts = [['text/plain', 'It could not be delivered.'], ...parts]
  return Buffer.from(
    [
      'From: mailer-daemon@example.org',
      `Content-Type: ${type}; boundary=b`,
      '',
      ...all.flatMap(([type, content]) => ['--b', `Content-Type: ${type}`, '', content]),
      '--b--',
      '',
    ].join('\r\n'),
  )
}

const perMessage = 'Reporting-MTA: dns; mx.example.org\r\n\r\n'

function deliveryStatus(fields: string, type = 'message/delivery-status'): Buffer {
  return reportOf([[type, perMessage + fields]])
}

/** Returns a report as text, to be put into another one. Its boundary begins with the other's. */
function otherBoundary(report: Buffer): string {
  return report.toString().replaceAll('--b', '--bb').replace('boundary=b', 'boundary=bb')
}

const failed = 'Final-Recipient: rfc822; ann@example.org\r\nAction: failed\r\n'

describe('a delivery status', () => {
  test.each([
    [
      'of a mailbox that does not exist',
      `${failed}Status: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 <ann@example.org>\r\n  User unknown`,
      '5.1.1',
      '5.1.1 550 5.1.1 … User unknown',
    ],
    ['of a full mailbox', `${failed}Status: 4.2.2 (full)`, '4.2.2', '4.2.2'],
    ['without a status', failed.trim(), '5.0.0', '5.0.0'],
    [
      'with the code in the diagnosis only',
      `${failed}Diagnostic-Code: smtp;550-5.7.26 Unauthenticated`,
      '5.7.26',
      '5.7.26 550-5.7.26 Unauthenticated',
    ],
    ['with a temporary reply only', `${failed}Diagnostic-Code: smtp; 452 later`, '4.0.0', '4.0.0 452 later'],
    [
      'with a status that says less than the reply, as Exim writes it',
      `${failed}Status: 5.0.0\r\nDiagnostic-Code: smtp; 550 5.1.1 No such mailbox`,
      '5.1.1',
      '5.1.1 550 5.1.1 No such mailbox',
    ],
    ['with a comment after its action', `Action: Failed (given up)\r\nStatus: 5.4.4`, '5.4.4', '5.4.4'],
    [
      'after a recipient that was relayed',
      `Action: relayed\r\nStatus: 2.0.0\r\n\r\n${failed}Status: 5.1.1`,
      '5.1.1',
      '5.1.1',
    ],
    ['with the same field twice', `${failed}Status: 5.1.1\r\nStatus: 5.7.1`, '5.1.1', '5.1.1'],
    ['with bare line feeds', `Action: failed\nStatus: 5.1.10\n`, '5.1.10', '5.1.10'],
    [
      'with an encoded word that hides an address',
      `${failed}Status: 5.1.1\r\nDiagnostic-Code: smtp; =?utf-8?B?YW5uQGV4YW1wbGUub3Jn?= is unknown`,
      '5.1.1',
      '5.1.1 … is unknown',
    ],
    [
      'with a quoted and an escaped address',
      `${failed}Status: 5.1.1\r\nDiagnostic-Code: smtp; "ann b"@example.org ann%40example.org \\x{40}ann`,
      '5.1.1',
      '5.1.1 … … …',
    ],
    ['with null bytes', `${failed}Status: 5.1.1\r\nDiagnostic-Code: smtp; 550\0no`, '5.1.1', '5.1.1 550 no'],
  ])('%s says so', (_name, fields, status, reason) => {
    expect(readReport(deliveryStatus(fields))).toMatchObject({ kind: 'bounced', status, reason })
  })

  test('of an address with non-ASCII letters is read', () => {
    const fields =
      'Final-Recipient: utf-8; jörg@bücher.example\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 jörg@bücher.example: Postfach unbekannt'
    const expected = { kind: 'bounced', reason: '5.1.1 550 … Postfach unbekannt' }
    const type = 'message/global-delivery-status'
    expect(readReport(deliveryStatus(fields, type))).toMatchObject(expected)
    const base64 = Buffer.from(perMessage + fields).toString('base64')
    const encoded = reportOf([[`${type}\r\nContent-Transfer-Encoding: base64`, base64]])
    expect(readReport(encoded)).toMatchObject(expected)
    const printable = (perMessage + fields).replaceAll('ö', '=C3=B6').replaceAll('ü', '=C3=BC')
    const quoted = reportOf([[`${type}\r\nContent-Transfer-Encoding: quoted-printable`, printable]])
    expect(readReport(quoted)).toMatchObject(expected)
  })

  test('inside another multipart is read, as gateways add a footer', () => {
    const inner = otherBoundary(deliveryStatus(`${failed}Status: 5.1.1`))
    const outer = `Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n${inner}\r\n--b--\r\n`
    expect(readReport(Buffer.from(outer))).toMatchObject({ status: '5.1.1' })
  })

  test.each([
    ['of a delayed message', 'Action: delayed\r\nStatus: 4.4.1'],
    ['of a delivered message', 'Action: delivered\r\nStatus: 2.0.0'],
    ['without an action', 'Status: 5.1.1'],
    ['that fails in its 21st block', `${'Action: delayed\r\n\r\n'.repeat(19)}${failed}`],
    ['that fails after 64 kB', `X: ${'x'.repeat(64_000)}\r\n${failed}`],
  ])('%s is no bounce', (_name, fields) => {
    expect(readReport(deliveryStatus(fields))).toBeNull()
  })

  test('of a message that is returned inside is not ours', () => {
    const returned = otherBoundary(deliveryStatus(`${failed}Status: 5.1.1`))
    expect(readReport(reportOf([['message/rfc822', returned]]))).toBeNull()
    expect(readReport(reportOf([['message/global', returned]]))).toBeNull()
  })
})

test('a long diagnosis is read to its end, within limits', () => {
  const long = (words: number) => `Diagnostic-Code: smtp; 550 5.1.1 ${'Rejected. '.repeat(words)}Blocked`
  const read = (words: number) => readReport(deliveryStatus(`${failed}Status: 5.1.1\r\n${long(words)}`))
  expect(read(60)?.reason).toMatch(/Blocked$/)
  expect(read(5_000)?.reason).toHaveLength(2_000)
})

describe('a feedback report', () => {
  const headers =
    'Return-Path: <b.1@bounces.example.com>\r\nMessage-ID: <delivery-1@news.example.com>\r\nCFBL-Feedback-ID: b.1.f\r\nSubject: News'
  const feedback = (type: string, fields = '', returned = headers): Buffer =>
    reportOf(
      [
        [
          'message/feedback-report',
          `Feedback-Type: ${type}\r\nUser-Agent: Test/1\r\nVersion: 1\r\n${fields}`,
        ],
        ['message/rfc822', `${returned}\r\n\r\nThe message`],
      ],
      'multipart/report; report-type=feedback-report',
    )

  test.each(['abuse', 'fraud', 'virus', 'other', 'Abuse'])('of the type %s is a complaint', (type) => {
    const type_ = type.toLowerCase()
    expect(readReport(feedback(type, 'Original-Mail-From: <b.2@bounces.example.com>\r\n'))).toEqual({
      kind: 'complained',
      status: type_,
      diagnosis: '',
      reason: `complaint: ${type_}`,
      quoted: ['b.2@bounces.example.com', 'b.1@bounces.example.com', 'b.1.f'],
    })
  })

  test.each(['not-spam', 'auth-failure', 'opt-out', ''])('of the type %s is none', (type) => {
    expect(readReport(feedback(type))).toBeNull()
  })

  test('names the return address and the feedback ID of the message that it returns', () => {
    expect(readReport(feedback('abuse'))).toMatchObject({
      quoted: ['b.1@bounces.example.com', 'b.1.f'],
    })
    expect(
      readReport(feedback('abuse', 'Original-Mail-From: <redacted>\r\n', 'CFBL-Feedback-ID: b.1.f')),
    ).toMatchObject({
      quoted: ['b.1.f'],
    })
    expect(readReport(feedback('abuse', '', 'Subject: News'))).toMatchObject({
      quoted: [],
    })
  })
})

test.each([
  ['an automatic reply', Buffer.from('Subject: Out of office\r\n\r\nBack on Monday.')],
  ['a report of another kind', deliveryStatus(failed, 'message/disposition-notification')],
  ['no email at all', Buffer.from([0, 255, 10])],
  ['an empty email', Buffer.alloc(0)],
  [
    'a report without an end',
    Buffer.from(
      'Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status',
    ),
  ],
])('%s is ignored', (_name, source) => {
  expect(readReport(source)).toBeNull()
})

const nested = Array.from(
  { length: 12_000 },
  (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`,
)

test.each([
  ['50,000 blocks', deliveryStatus('Action: delayed\r\n\r\n'.repeat(50_000))],
  ['50,000 fields', deliveryStatus('Action: delayed\r\n'.repeat(50_000))],
  ['50,000 continued lines', deliveryStatus(`Diagnostic-Code: smtp;\r\n${' x\r\n'.repeat(50_000)}`)],
  ['a line of a megabyte', deliveryStatus(`Diagnostic-Code: ${'x'.repeat(1_000_000)}`)],
  ['a header of a megabyte', Buffer.from(`Subject: ${'x'.repeat(1_000_000)}\r\n\r\n`)],
  ['spaces only', deliveryStatus(`${' '.repeat(60_000)}\r\n${'\t'.repeat(60_000)}`)],
  ['empty lines only', deliveryStatus('\r\n \r\n'.repeat(100_000))],
  [
    '14,000 parts',
    reportOf(Array.from({ length: 14_000 }, () => ['message/delivery-status', 'Action: delayed'])),
  ],
  ['deep nesting', Buffer.from(nested.join(''))],
  [
    'a boundary of a megabyte',
    Buffer.from(`Content-Type: multipart/report; boundary=${'-'.repeat(1_000_000)}\r\n\r\n`),
  ],
  [
    'an at sign in each of many words',
    deliveryStatus(`${failed}Diagnostic-Code: smtp; ${'@ "'.repeat(20_000)}`),
  ],
  [
    'an encoded word that never ends',
    deliveryStatus(`${failed}Diagnostic-Code: smtp; ${'=?a?b?'.repeat(10_000)}`),
  ],
])('%s cost less than a quarter of a second of processor time', (_name, source) => {
  const before = process.cpuUsage()
  readReport(source)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(250)
})
