import { describe, expect, it } from 'vitest'
import { parseContact } from './contact.ts'

describe('parseContact', () => {
  it.each([
    ['2135550123', 'US', '+12135550123'],
    ['\u202A+1 (213) 555\u20110123\u202C', 'US', '+12135550123'],
    ['\u2068213\u00A0555\u00A00123\u2069', 'US', '+12135550123'],
    ['+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', 'US', '+966501234567'],
    ['090ー1234ー5678', 'JP', '+819012345678'],
    ['(213) 555-0123', 'US', '+12135550123'],
    ['213.555.0123', 'US', '+12135550123'],
    ['213 555 0123', 'US', '+12135550123'],
    ['1-213-555-0123', 'US', '+12135550123'],
    ['+1 213 555 0123', 'US', '+12135550123'],
    ['+1 (213) 555-0123', 'DE', '+12135550123'],
    ['tel:+1-213-555-0123', 'US', '+12135550123'],
    ['  213-555-0123\n', 'US', '+12135550123'],
    ['２１３５５５０１２３', 'US', '+12135550123'],
    ['416-555-0199', 'CA', '+14165550199'],
    ['020 7946 0958', 'GB', '+442079460958'],
    ['+44 (0)20 7946 0958', 'US', '+442079460958'],
    ['0044 20 7946 0958', 'US', '+442079460958'],
    ['030 901820', 'DE', '+4930901820'],
    ['+49 30/901820', 'US', '+4930901820'],
    ['01 42 68 53 00', 'FR', '+33142685300'],
    ['+33 1 42 68 53 00', 'US', '+33142685300'],
    ['03-3224-5000', 'JP', '+81332245000'],
    ['+91 98765 43210', 'US', '+919876543210'],
    ['(11) 96123-4567', 'BR', '+5511961234567'],
    ['0412 345 678', 'AU', '+61412345678'],
    ['06 698 83712', 'IT', '+390669883712'],
  ])('reads the phone number %j from %s as %s', (text, region, value) => {
    expect(parseContact(text, region)).toEqual({ kind: 'phone', value })
  })

  it.each([
    ['reader@example.com', 'reader@example.com'],
    ['reader\u200b@example.com\u202e', 'reader@example.com'],
    ['Reader <reader@example.com>', 'reader@example.com'],
    ['reader@example.com.', 'reader@example.com'],
    ['  Reader@Example.COM ', 'reader@example.com'],
    ['mailto:reader@example.com', 'reader@example.com'],
    ['first.last+news@mail.example.co.uk', 'first.last+news@mail.example.co.uk'],
    ["o'brien_99@example.org", "o'brien_99@example.org"],
    ['x@example.io', 'x@example.io'],
    ['jörg@müller.example', 'jörg@xn--mller-kva.example'],
    ['読者@例え.jp', '読者@xn--r8jz45g.jp'],
    ['reader@xn--r8jz45g.xn--q9jyb4c', 'reader@xn--r8jz45g.xn--q9jyb4c'],
    ['ｒｅａｄｅｒ＠example.com', 'reader@example.com'],
    ['jo\u0308rg@example.com', 'j\u00f6rg@example.com'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('reads the email address %j as %s', (text, value) => {
    expect(parseContact(text, 'US')).toEqual({ kind: 'email', value })
  })

  it.each([
    '',
    '   ',
    'hello',
    '@',
    'a@',
    '@example.com',
    'reader@example',
    'reader@@example.com',
    'reader@.com',
    'reader@example..com',
    'reader@-example.com',
    'reader@example-.com',
    'reader@example.c',
    'reader@example.--',
    'reader@example.123',
    'reader@127.0.0.1',
    'reader@[127.0.0.1]',
    'reader@localhost',
    'reader@example.com/path',
    'reader@example.com?x=1',
    'reader@example.com#a',
    'reader@example.com:25',
    'reader@%65xample.com',
    'reader@exa_mple.com',
    'reader@exam ple.com',
    '.reader@example.com',
    'reader.@example.com',
    'rea..der@example.com',
    'rea der@example.com',
    '"rea der"@example.com',
    'a@example.com, b@example.com',
    'a@example.com;b@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(130)}com`,
    'reader\u0000@example.com',
    'reader@exam\u0000ple.com',
    'reader\ud800@example.com',
    'reader@example.com\r\nBcc: all@example.com',
    '<script>alert(1)</script>@example.com',
    "x'; DROP TABLE reader_contact; --@example.com",
    '12',
    '555-0123',
    '0000000000',
    '123456789012345678',
    '+',
    '++12135550123',
    '+1',
    '+999 12345678',
    '213-555-0123 ext. 4',
    '213-555-0123 or 213-555-0199',
    '1-800-FLOWERS',
    '213555O123',
    '٢١٣٥٥٥٠١٢٣x',
    '-213-555-0123',
    '$(reboot)',
    '{"$gt":""}',
    '2135550123\u0000',
  ])('refuses %j', (text) => {
    expect(parseContact(text, 'US')).toBeNull()
  })

  it('reads bare numbers as US numbers when the region is unknown', () => {
    expect(parseContact('213-555-0123', 'ZZ')).toEqual({ kind: 'phone', value: '+12135550123' })
  })

  it('parses the longest accepted text quickly', () => {
    for (const piece of ['a', '1', '+', '(', '@', '.', ' ', 'a@', '1-', 'a.']) {
      expect(parseContact(piece.repeat(320 / piece.length), 'US')).toBeNull()
    }
  })
})
