import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isGsm } from './gsm.ts'
import { toGsm, toText } from './to-gsm.ts'

describe('toGsm', () => {
  test.each([
    ['Bogotá', 'Bogota'],
    ['São Paulo', 'Sao Paulo'],
    ['Łódź, Kraków', 'Lodz, Krakow'],
    ['Đà Nẵng', 'Dà Nang'],
    ['İstanbul, Iğdır', 'Istanbul, Igdir'],
    ['Reykjavík, Þór, Sigurður', 'Reykjavik, Thor, Sigurdur'],
    ['Œuvre, cœur, garçon', 'OEuvre, coeur, garcon'],
    ['STRAẞE', 'STRASSE'],
    ['été à Zürich, Ñandú, Å, Æ, ø, ß, Ç', 'été à Zürich, Ñandu, Å, Æ, ø, ß, Ç'],
    ['e\u0301te\u0301 q\u0303', 'été q'],
    ['“Quiet” – it’s… here', '"Quiet" - it\'s... here'],
    ['«oui» ‹non› „ja“ `x` ´y´', "\"oui\" 'non' \"ja\" 'x' 'y'"],
    ['10\u00a0AM\u202fsharp\u200b', '10 AM sharp'],
    ['co\u00adop', 'coop'],
    ['€5 or £5, [a]~{b}', '€5 or £5, [a]~{b}'],
    ['₹500, 500₽ and 5¢', 'INR 500, 500 RUB and 5c'],
    ['10² m, 5 × 10⁻⁶ and CO₂', '10^2 m, 5 x 10^-6 and CO2'],
    ['2½ or ¾', '2 1/2 or 3/4'],
    ['20 °C, 68℉ and 180°', '20 C, 68 F and 180 deg'],
    ['≥ 3 → 4', '>= 3 -> 4'],
    ['Ｔｉｄｉｎｇｓ ﬁne', 'Tidings fine'],
    ['Rain ☔ today', 'Rain today'],
    ['Rain☔today', 'Rain today'],
    ['Rain ☔, then sun 🌞.', 'Rain, then sun.'],
    ['🎉 Party 👩‍👩‍👧‍👦🏽 🇫🇷!', 'Party!'],
    ['1️⃣ First', '1 First'],
    ['one\ntwo', 'one\ntwo'],
    ['a\tb', 'a b'],
    ['', ''],
  ])('writes %j as %j', (text, written) => {
    expect(toGsm(text)).toBe(written)
  })

  test.each([
    ...[
      'Москва',
      'Αθήνα',
      'القاهرة',
      'नई दिल्ली',
      '東京',
      '서울',
      'ไทย',
      'שלום 🌊 жизнь',
      'Meeting in Москва',
      '🌊',
      '☔ 🌊',
      '∑ x',
      '٣',
    ],
  ])('has no words for %j', (text) => {
    expect(toGsm(text)).toBeNull()
    expect(toText(text)).toBe(text)
  })

  test('writes GSM alone, keeps what GSM has, and keeps every Latin letter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const written = toGsm(text)
        if (written === null) return
        expect([...written].filter((character) => !isGsm(character))).toEqual([])
        expect(toGsm(written)).toBe(written)
        const letters = (words: string) => words.match(/[A-Za-z\d]/g) ?? []
        expect(letters(written).length).toBeGreaterThanOrEqual(letters(text.normalize('NFKC')).length)
      }),
      { seed: 52, numRuns: 500 },
    )
  })
})
