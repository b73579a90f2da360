import { describe, expect, it } from 'vitest'
import { digitsOf, findCode, hasVisibleText, normalizeEmail, normalizePhone } from './typed-text.ts'

/** Everything that the issue names, and what programs put around copied text. */
const invisible = [
  ...'\u00AD\u034F\u061C\u115F\u180E\u200B\u200C\u200D\u200E\u200F\u2060\u2063\u3164\uFE0E\uFE0F\uFEFF',
  ...'\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u{E0020}',
]
const spaces = [...'\t\n\u0085\u00A0\u1680\u2002\u2003\u2007\u2009\u200A\u2028\u202F\u205F\u2800\u3000']
const hyphens = [...'\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uFE58\uFE63\uFF0D']
const named = (characters: string[]) =>
  characters.map((one) => [`U+${one.codePointAt(0)?.toString(16).toUpperCase()}`, one] as const)

describe.each(named(invisible))('%s', (_name, mark) => {
  const scattered = (text: string) => mark + [...text].join(mark) + mark

  it('is removed around and inside an address, a number and a code', () => {
    expect(normalizeEmail(scattered('ann@example.com'))).toBe('ann@example.com')
    expect(normalizePhone(scattered('+1 (415) 555-2671'))).toBe('+1 (415) 555-2671')
    expect(findCode(scattered('123 456'))).toBe('123456')
  })

  it('is no visible text', () => {
    expect(hasVisibleText(mark.repeat(3))).toBe(false)
  })
})

describe.each(named(spaces))('the space %s', (_name, space) => {
  it('is a plain space', () => {
    expect(normalizeEmail(`${space}ann@example.com${space}`)).toBe('ann@example.com')
    expect(normalizePhone(`+1${space}415${space}555${space}2671${space}`)).toBe('+1 415 555 2671')
    expect(findCode(`123${space}456`)).toBe('123456')
    expect(hasVisibleText(space)).toBe(false)
  })

  it('keeps two words apart in an address', () => {
    expect(normalizeEmail(`ann${space}lee@example.com`)).toBe('ann lee@example.com')
  })
})

describe.each(named(hyphens))('the hyphen %s', (_name, hyphen) => {
  it('is a plain hyphen', () => {
    expect(normalizeEmail(`ann${hyphen}lee@my${hyphen}site.example`)).toBe('ann-lee@my-site.example')
    expect(normalizePhone(`415${hyphen}555${hyphen}2671`)).toBe('415-555-2671')
    expect(findCode(`123${hyphen}456`)).toBe('123456')
  })
})

describe('normalizeEmail', () => {
  it.each([
    ['mailto:ann@example.com', 'ann@example.com'],
    ['MAILTO:Ann@Example.com?subject=Hi', 'Ann@Example.com'],
    ['mailto:ann%2Bnews@example.com', 'ann+news@example.com'],
    ['mailto:100%@example.com', '100%@example.com'],
    ['<ann@example.com>', 'ann@example.com'],
    ['<mailto:ann@example.com>', 'ann@example.com'],
    ['Ann <ann@example.com>', 'ann@example.com'],
    ['"Lee, Ann" <ann@example.com>;', 'ann@example.com'],
    ['ann@example.com <mailto:ann@example.com>', 'ann@example.com'],
    ["'ann@example.com'", 'ann@example.com'],
    ['“ann@example.com.”', 'ann@example.com'],
    ['(ann@example.com)', 'ann@example.com'],
    ['ann@example.com.', 'ann@example.com'],
    ['ann@example.com,', 'ann@example.com'],
    ['ann@example.com; ', 'ann@example.com'],
    ['ann @ example.com', 'ann@example.com'],
    ['ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ann@example.com'],
    ['ａｎｎ１＠ｅｘａｍｐｌｅ。ｃｏｍ', 'ann1@example.com'],
    ['ann＋news﹫example﹒com', 'ann+news@example.com'],
    ['mu\u0308ller@exa\u0308mple.com', 'müller@exämple.com'],
  ])('reads %j as %s', (text, email) => {
    expect(normalizeEmail(text)).toBe(email)
    expect(normalizeEmail(email)).toBe(email)
  })

  it.each([
    // Their letters and digits are part of the address.
    'ﬁnn@example.com',
    'ann²@example.com',
    '١٢٣@example.com',
    'नमस्ते@example.com',
    'علی\u200Cرضا@example.com',
    "o'neil@example.com",
    "'ann@example.com",
    'ann+news@example.com',
    'ann--lee@example.com',
    // Ambiguous, so that the server refuses them.
    'bea@example.com <ann@example.com>',
    'Ann <ann@example.com>, Bea <bea@example.com>',
    'ann@example.com,bea@example.com',
    'ann@example.com bea@example.com',
    'ann@exam ple.com',
  ])('leaves %j unchanged', (text) => {
    expect(normalizeEmail(text)).toBe(text)
  })
})

describe('normalizePhone', () => {
  it.each([
    ['\u202A+1 (415) 555\u20112671\u202C', '+1 (415) 555-2671'],
    ['tel:+1-415-555-2671', '+1-415-555-2671'],
    ['TEL: +14155552671', '+14155552671'],
    ['＋１（４１５）５５５－２６７１', '+1(415)555-2671'],
    ['+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', '+966 50 123 4567'],
    ['+९१ ९८७६५ ४३२१०', '+91 98765 43210'],
    ['090ー1234ー5678', '090-1234-5678'],
    ['415.555.2671.', '415.555.2671'],
    // A number with an extension is not a mobile number, and the extension must not be lost.
    ['415-555-2671 ext. 5', '415-555-2671 ext. 5'],
    ['1-800-FLOWERS', '1-800-FLOWERS'],
  ])('reads %j as %s', (text, phone) => {
    expect(normalizePhone(text)).toBe(phone)
    expect(normalizePhone(phone)).toBe(phone)
  })
})

describe('findCode', () => {
  it.each([
    ['123456', '123456'],
    ['123-456', '123456'],
    ['1 2 3 4 5 6', '123456'],
    ['12 34 56', '123456'],
    ['１２３４５６', '123456'],
    ['١٢٣٤٥٦', '123456'],
    ['१२३ ४५६', '123456'],
    ['Your code is 123 456', '123456'],
    ['Your code is 123\u2011456. It expires in 10 minutes.', '123456'],
    ['G-123456', '123456'],
    ['Your Tidings code: 123456', '123456'],
    ['123456 is your Tidings code. It expires in 10 minutes.\n\n@127.0.0.1 #123456', '123456'],
    ['(123456)', '123456'],
  ])('finds the code in %j', (text, code) => {
    expect(findCode(text)).toBe(code)
  })

  it.each([
    '',
    '12345',
    '1234567',
    '12345a',
    '+12345',
    '1.2345',
    '0x1234',
    '123456\u0000',
    '-',
    '123456 or 654321',
    'Call +1 415 555 2671',
    '123,456.78',
    '123 456 789 000',
  ])('finds none in %j', (text) => {
    expect(findCode(text)).toBeNull()
  })
})

describe('digitsOf', () => {
  it('reads the digits of every numbering system of Unicode', () => {
    for (const numberingSystem of Intl.supportedValuesOf('numberingSystem')) {
      const digits = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(9876543210)
      if (/^\p{Nd}+$/u.test(digits)) expect(digitsOf(digits), numberingSystem).toBe('9876543210')
    }
  })

  it('leaves out everything else', () => {
    expect(digitsOf('12 a-3')).toBe('123')
  })
})

describe('hasVisibleText', () => {
  it.each(['', ' ', '\u0301\u0302', '\u20E3', '\u0007', '\uD800', '\u2800\u3164', '\u202E\u202C'])(
    'sees nothing in %j',
    (text) => {
      expect(hasVisibleText(text)).toBe(false)
    },
  )

  it.each(['a', '.', '👩‍👩‍👧', '❤️', '☺', '🏳️‍🌈', '#️⃣', 'e\u0301', 'می\u200Cخواهم', '한', '\uF8FF', '🇩🇪', '🏽'])(
    'sees %j',
    (text) => {
      expect(hasVisibleText(text)).toBe(true)
    },
  )
})
