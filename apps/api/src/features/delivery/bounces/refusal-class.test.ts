import { describe, expect, it } from 'vitest'
import { classifyRefusal, type RefusalClass, type RefusalPhase } from './refusal-class.ts'

type Case = [phase: RefusalPhase, reply: string, expected: RefusalClass]

/** Replies of providers, servers and filters, by kind. */
const cases: Record<string, Case[]> = {
  'an address that does not exist': [
    [
      'rcpt',
      '550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the address for typos. https://support.google.com/mail/?p=NoSuchUser - gsmtp',
      'address',
    ],
    ['rcpt', '550-5.1.1 The email account 550 5.1.1 does not exist', 'address'],
    [
      'rcpt',
      '550 5.1.1 <spam.block@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
      'address',
    ],
    [
      'rcpt',
      '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
      'address',
    ],
    ['rcpt', '550 5.1.2 <ann@exmaple.com>: Recipient address rejected: Domain not found', 'address'],
    ['rcpt', '553 5.1.3 The recipient address is not a valid RFC 5321 address', 'address'],
    ['rcpt', '551 5.1.6 The user has moved', 'address'],
    ['rcpt', '550 5.2.1 The email account that you tried to reach is disabled', 'address'],
    ['rcpt', '550 5.2.1 Mailbox is blocked', 'address'],
    [
      'rcpt',
      '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [DB5EUR03FT004.eop-EUR03.prod.protection.outlook.com]',
      'address',
    ],
    ['rcpt', '550 Unrouteable address', 'address'],
    ['rcpt', '550 User spamalot unknown', 'address'],
    ['rcpt', '550 No such user (blocked@example.com)', 'address'],
    ['rcpt', '551 User not local', 'address'],
    ['rcpt', '553 Requested action not taken: mailbox name not allowed', 'address'],
    ['rcpt', '550 sorry, no mailbox here by that name. (#5.1.1)', 'address'],
    ['rcpt', '550 #5.1.0 Address rejected.', 'address'],
    ['rcpt', '550 cuda_nsu 5.1.1 <ann@example.com>... User unknown', 'address'],
    [
      'rcpt',
      '550 Message was not accepted -- invalid mailbox. Local mailbox ann@mail.example is unavailable: account is blocked',
      'address',
    ],
    ['rcpt', '550 5.1.1 User jdoe not listed in Domino Directory', 'address'],
    ['rcpt', '550 5.1.1 User jdoe not listed in public Name & Address Book', 'address'],
    ['rcpt', "550 5.1.1 User isn't listed in the directory", 'address'],
    ['rcpt', '550 User jdoe not listed in Domino Directory', 'address'],
    ['rcpt', '550 5.1.2 Domain not found in DNS', 'address'],
    ['report', '5.0.0 550 User jdoe not listed in public Name & Address Book', 'address'],
    ['data', '550 5.1.1 <ann@example.com> User does not exist', 'address'],
    ['report', '5.1.1 550 5.1.1 The mailbox does not exist', 'address'],
    [
      'report',
      '5.1.1 550 host antispam.example.net[192.0.2.7] said: 550 5.1.1 User unknown (in reply to RCPT TO command)',
      'address',
    ],
    ['report', '5.0.0 550 User unknown', 'address'],
    ['report', '5.1.1 X-Postfix; host mx.blocked.example[192.0.2.1] said: 550 5.1.1 unknown', 'address'],
    ['webhook', '5.1.1 unknown', 'address'],
    ['webhook', '', 'address'],
    ['webhook', 'smtp; 550 Requested action not taken: mailbox unavailable', 'address'],
  ],
  'a full mailbox': [
    [
      'rcpt',
      "552-5.2.2 The recipient's inbox is out of storage space. 552 5.2.2 Learn more at https://support.google.com/mail/?p=OverQuotaPerm",
      'full',
    ],
    ['rcpt', '452-4.2.2 The email account that you tried to reach is over quota', 'full'],
    ['rcpt', '452 4.2.2 Mailbox full', 'full'],
    ['rcpt', '552 Requested mail action aborted: exceeded storage allocation', 'full'],
    ['rcpt', '552 Mailbox full', 'full'],
    ['rcpt', '550 Mailbox quota exceeded', 'full'],
    ['rcpt', '550 5.2.1 mailbox is full', 'full'],
    ['data', '552 5.2.2 <ann@example.com> Quota exceeded (mailbox for user is full)', 'full'],
    ['data', '552 Mailbox full', 'full'],
    ['data', '554 mailbox full (#5.2.2)', 'full'],
    ['report', '5.2.2 554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException', 'full'],
    ['report', '4.4.7 452 4.2.2 The account is over quota', 'full'],
    ['report', '4.2.2 mailbox full', 'full'],
    ['webhook', '5.2.2 mailbox full', 'full'],
    ['webhook', 'Mailbox full', 'full'],
  ],
  us: [
    ['rcpt', '550 5.7.1 Your network is blocked', 'us'],
    [
      'rcpt',
      "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).",
      'us',
    ],
    ['rcpt', '550 5.7.606 Access denied, banned sending IP [192.0.2.1]', 'us'],
    ['rcpt', '550 5.7.511 Access denied', 'us'],
    ['rcpt', "550 SC-001 (COL004-MC1F1) Unfortunately, messages from 192.0.2.1 weren't sent", 'us'],
    [
      'rcpt',
      '550 5.2.1 Mailbox unavailable. Your IP address 192.0.2.1 is blacklisted using SPAMHAUS-XBL',
      'us',
    ],
    ['rcpt', '550 5.1.1 Message from 192.0.2.1 rejected, listed at zen.spamhaus.org', 'us'],
    ['rcpt', '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org', 'us'],
    ['rcpt', '550 Rejected 192.0.2.1 found in dnsbl.sorbs.net', 'us'],
    ['rcpt', '550 https://www.spamhaus.org/query/ip/192.0.2.1 blocked', 'us'],
    [
      'rcpt',
      '554 Service unavailable; Client host [192.0.2.1] blocked using Barracuda Reputation; http://www.barracudanetworks.com/reputation/?r=1',
      'us',
    ],
    [
      'rcpt',
      '553 5.3.0 flpd594 DNSBL:RBL 521< 192.0.2.1 >_is_blocked. For assistance forward this to abuse@example.net',
      'us',
    ],
    ['rcpt', '553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.1', 'us'],
    ['rcpt', '553 Mail from 192.0.2.1 not allowed - 5.7.1 [BL23] Connections not accepted', 'us'],
    ['rcpt', '550 Blocked', 'us'],
    [
      'rcpt',
      '550 Administrative prohibition - envelope blocked - https://community.mimecast.example/docs/DOC-1369#550',
      'us',
    ],
    ['rcpt', '550 Rejected by header based Anti-Spoofing policy', 'us'],
    ['rcpt', '550 csi.mimecast.org Poor Reputation Sender. - https://example.com', 'us'],
    ['rcpt', '550 5.7.0 Local Policy Violation - Proofpoint', 'us'],
    ['rcpt', '553 5.1.8 <news@example.com>... Domain of sender address does not exist', 'us'],
    ['rcpt', '550 5.1.7 <news@example.com> invalid sender', 'us'],
    ['rcpt', '550 Sender verify failed', 'us'],
    ['rcpt', "550 Sender not listed in the recipient's address book", 'us'],
    ['rcpt', '550 192.0.2.1 is not listed in our whitelist', 'us'],
    ['rcpt', '550 5.1.1 Recipient rejected: you are not listed in the directory of partners', 'us'],
    ['rcpt', '550 relay not permitted', 'us'],
    ['rcpt', '550 relaying denied for <ann@example.com>', 'us'],
    ['rcpt', '552 5.3.4 Message size exceeds fixed limit', 'us'],
    ['rcpt', '552 Message size exceeds maximum permitted', 'us'],
    ['rcpt', '550 5.6.7 SMTPUTF8 is required', 'us'],
    [
      'data',
      '550 5.7.1 [192.0.2.1] Our system has detected that this message is likely unsolicited mail',
      'us',
    ],
    ['data', '550 5.7.26 This mail has been blocked because the sender is unauthenticated', 'us'],
    ['data', '550 5.2.0 Message rejected due to DMARC', 'us'],
    ['data', '552 5.2.3 Your message exceeded the limits on size', 'us'],
    ['data', '552 5.3.4 message too long', 'us'],
    ['data', '554 Message rejected', 'us'],
    ['data', '550 no', 'us'],
    ['data', '554 Message not allowed - [PH01] Email not accepted for policy reasons', 'us'],
    ['data', '554 5.0.0 Transaction failed', 'us'],
    [
      'rcpt',
      '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1',
      'us',
    ],
    ['rcpt', '421 4.7.28 Our system has detected an unusual rate of unsolicited mail', 'us'],
    [
      'rcpt',
      '451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited due to IP reputation',
      'us',
    ],
    ['rcpt', '550 5.7.1 Too many messages from your network', 'us'],
    ['rcpt', '552 Rate limit exceeded', 'us'],
    ['rcpt', '450 4.7.1 Client host rejected: cannot find your reverse hostname', 'us'],
    ['report', '5.7.1 550 5.7.1 blocked', 'us'],
    ['report', '5.0.0 554 5.7.1 Message contains spam', 'us'],
    ['report', '5.3.4 552 5.3.4 Message too long', 'us'],
    ['report', '4.4.7 421 4.7.0 [TSS04] Messages temporarily deferred', 'us'],
    ['webhook', 'The message was blocked as spam', 'us'],
    ['webhook', '5.7.1', 'us'],
  ],
  'nothing that lasts': [
    ['rcpt', '454 4.7.0 Too many messages, try again later', 'other'],
    ['rcpt', '421 4.3.2 Too many connections', 'other'],
    ['rcpt', '451 4.7.1 Throttled, please slow down', 'other'],
    ['rcpt', '450 4.7.1 <ann@example.com>: Recipient address rejected: Greylisted', 'other'],
    ['rcpt', '451 4.7.1 Greylisting in action, please come back later', 'other'],
    ['rcpt', '450 4.2.0 Graylisted by policy', 'other'],
    ['rcpt', '450 4.7.1 Try again later', 'other'],
    [
      'rcpt',
      '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
      'other',
    ],
    [
      'rcpt',
      '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
      'other',
    ],
    ['rcpt', '450 4.1.1 Recipient address rejected: unverified address', 'other'],
    ['rcpt', '452 4.3.1 Insufficient system storage', 'other'],
    [
      'rcpt',
      '550 5.4.1 [ann@example.com]: Recipient address rejected: Access denied [AM7EUR03.prod.protection.outlook.com]',
      'other',
    ],
    ['rcpt', '550 5.4.4 Unable to route', 'other'],
    ['rcpt', '501 Syntax error', 'other'],
    ['rcpt', '554 No', 'other'],
    ['data', '451 4.3.0 Temporary failure', 'other'],
    ['report', '4.4.1 Connection timed out', 'other'],
    ['report', '5.4.7 Delivery time expired', 'other'],
    ['report', '5.0.0 550 Rejected', 'other'],
    ['report', '4.1.1 450 4.1.1 unverified', 'other'],
    ['report', '4.4.7 550 5.1.1 User unknown', 'other'],
    ['report', '4.4.7 550 User unknown', 'other'],
    ['report', '4.0.0 550 5.1.1 User unknown', 'other'],
    ['report', '5.0.0', 'other'],
    ['webhook', '4.4.1 timed out', 'other'],
  ],
}

describe.each(Object.entries(cases))('%s', (_name, replies) => {
  it.each(replies)('%s: %s', (phase, reply, expected) => {
    expect(classifyRefusal({ phase, code: reply.slice(0, 3), text: reply })).toBe(expected)
    // The reason in the ledger repeats the code.
    const reason = phase === 'rcpt' || phase === 'data' ? `${reply.slice(0, 3)} ${reply}` : reply
    expect(classifyRefusal({ phase, code: '', text: reason })).toBe(expected)
  })
})

describe('words inside names', () => {
  it.each(['spam-info', 'blocked', 'reputation.policy', 'junk'])(
    '%s, quoted as an address or a host, is no verdict',
    (name) => {
      for (const quoted of [
        `<${name}@example.com>`,
        `${name}@example.com`,
        `host ${name}.example.com said:`,
      ]) {
        const text = `550 5.1.1 ${quoted} User unknown`
        expect(classifyRefusal({ phase: 'rcpt', code: '550', text })).toBe('address')
      }
    },
  )
})
